"""Programs over two parameters, and the runs measured of them in `tests/data/several`.

MPI programs under SimGrid (`parallel.c`), kernels in C (`kernels.c`) and in Python, as they are. On the first fifteen
constants were tuned after they had been judged by them; the thirteen in `later` were measured after that.
"""

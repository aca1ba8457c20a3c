"""Programs over two parameters that nothing was tuned on, and the runs measured of them in `tests/data/several`.

Seven MPI programs under SimGrid (`parallel.c`), five kernels in C (`kernels.c`) and three in Python, as they are.
"""

/* One-sided transfers that have counts: for counts of both types; each with and without a request of its own. */
#define BOTH(name, rname, parameters, arguments, out, in)                                                              \
    TRANSFER(CALL(name), PCALL(name), (parameters), (arguments), out, in)                                              \
    TRANSFER(CALL(rname), PCALL(rname), (parameters, MPI_Request *request), (arguments, request), out, in)

BOTH(Put, Rput,
     A(const void *from, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype as,
       MPI_Win win),
     A(from, count, type, rank, at, there, as, win), apet_bytes(count, type), 0)
BOTH(Get, Rget,
     A(void *to, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype as, MPI_Win win),
     A(to, count, type, rank, at, there, as, win), 0, apet_bytes(count, type))
BOTH(Accumulate, Raccumulate,
     A(const void *from, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype as,
       MPI_Op op, MPI_Win win),
     A(from, count, type, rank, at, there, as, op, win), apet_bytes(count, type), 0)
BOTH(Get_accumulate, Rget_accumulate,
     A(const void *from, COUNT count, MPI_Datatype type, void *to, COUNT taken, MPI_Datatype taken_type, int rank,
       MPI_Aint at, COUNT there, MPI_Datatype as, MPI_Op op, MPI_Win win),
     A(from, count, type, to, taken, taken_type, rank, at, there, as, op, win), apet_bytes(count, type),
     apet_bytes(taken, taken_type))
#undef BOTH

program f08
use mpi_f08
implicit none
integer rank
type(MPI_Request) q(2)
double precision a(5), b(5)
call mpi_init()
call mpi_comm_rank(mpi_comm_world, rank)
a = rank
call mpi_irecv(b, 5, mpi_double_precision, 1 - rank, 1, mpi_comm_world, q(1))
call mpi_isend(a, 5, mpi_double_precision, 1 - rank, 1, mpi_comm_world, q(2))
call mpi_waitall(2, q, MPI_STATUSES_IGNORE)
call mpi_allreduce(MPI_IN_PLACE, a, 5, mpi_double_precision, mpi_sum, mpi_comm_world)
call mpi_finalize()
end

module sums
  use mpi
contains
  subroutine add(x)
    double precision :: x(:)
    integer :: e
    call MPI_Allreduce(MPI_IN_PLACE, x, 100, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)
  end subroutine
end module

program ring
  use sums
  integer :: e, r, n, q(2)
  double precision :: x(100), y(100)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, r, e)
  call MPI_Comm_size(MPI_COMM_WORLD, n, e)
  x = r
  call MPI_Irecv(y, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, q(1), e)
  call MPI_Isend(x, 100, MPI_DOUBLE_PRECISION, mod(r + 1, n), 1, MPI_COMM_WORLD, q(2), e)
  call MPI_Waitall(2, q, MPI_STATUSES_IGNORE, e)
  call add(x)
  call MPI_Finalize(e)
end program

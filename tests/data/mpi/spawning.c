/* Processes started at run time, and messages to them. */
#include <mpi.h>

int main(int count, char **words)
{
    int number = 3, rank;
    MPI_Comm parent, others;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(words[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
        if (rank == 0)
            MPI_Send(&number, 1, MPI_INT, 0, 1, others);
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Comm_disconnect(&others);
    } else {
        if (rank == 0)
            MPI_Recv(&number, 1, MPI_INT, 0, 1, parent, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}

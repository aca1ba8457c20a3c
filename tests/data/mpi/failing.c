/* Fails after its first barrier, as its argument says. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank;
    if (strcmp(how, "nothing") == 0)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    sleep(1);
    if (strcmp(how, "crash") == 0 && rank == 1)
        kill(getpid(), SIGSEGV);
    if (strcmp(how, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "leave") == 0)
        exit(0);
    while (strcmp(how, "hang") == 0 || rank != 1)
        sleep(1);
    MPI_Finalize();
    return 0;
}

/* Linked with a program, this prints how long it takes from the end of MPI_Init to the last rank's MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>

static double begin;

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    PMPI_Barrier(MPI_COMM_WORLD);
    begin = PMPI_Wtime();
    return result;
}

int MPI_Finalize(void)
{
    int rank;
    double seconds = PMPI_Wtime() - begin, longest;
    PMPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("seconds: %.9f\n", longest);
    return PMPI_Finalize();
}

/* Each rank computes with OpenMP between its calls of MPI. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int level, rank;
    double sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 4; k++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 400000; i++) sum += i * 0.5 / (i + 1 + k);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%g\n", all);
    MPI_Finalize();
    return 0;
}

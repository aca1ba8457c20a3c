/* Pairs of random numbers that fall into the unit circle, made normal and counted by rings, as NPB EP does: random PAIRS. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, pairs = argc > 1 ? atoi(argv[1]) : 1 << 20;
    double rings[10] = {0}, sums[2] = {0}, all[10], both[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long long state = 271828183ull + 104729 * rank;
    for (int k = 0; k < pairs / size + (rank < pairs % size); k++) {
        double at[2], square = 0;
        for (int d = 0; d < 2; d++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            at[d] = 2 * ((state >> 11) * 0x1p-53) - 1;
            square += at[d] * at[d];
        }
        if (square > 1 || square == 0)
            continue;
        double factor = sqrt(-2 * log(square) / square), x = fabs(at[0] * factor), y = fabs(at[1] * factor);
        rings[(int)(x > y ? x : y)]++;
        sums[0] += at[0] * factor, sums[1] += at[1] * factor;
    }
    MPI_Allreduce(rings, all, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(sums, both, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sums: %g %g, in the first ring: %.0f\n", both[0], both[1], all[0]);
    MPI_Finalize();
    return 0;
}

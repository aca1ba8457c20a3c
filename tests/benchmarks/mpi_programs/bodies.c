/* Bodies that all attract each other; every rank moves its own: bodies NUMBER STEPS */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int own = n / size, first = rank * own;
    double *at = malloc(3 * n * sizeof *at), *mine = malloc(3 * own * sizeof *mine), *speed = calloc(3 * own, sizeof *speed);
    srand(5 + rank);
    for (int i = 0; i < 3 * own; i++) mine[i] = rand() / (double)RAND_MAX;
    for (int k = 0; k < steps; k++) {
        MPI_Allgather(mine, 3 * own, MPI_DOUBLE, at, 3 * own, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < own; i++) {
            double a[3] = {0, 0, 0};
            for (int j = 0; j < n; j++) {
                if (j == first + i) continue;
                double x = at[3 * j] - mine[3 * i], y = at[3 * j + 1] - mine[3 * i + 1], z = at[3 * j + 2] - mine[3 * i + 2];
                double r = x * x + y * y + z * z + 1e-6, s = 1 / (r * sqrt(r));
                a[0] += s * x; a[1] += s * y; a[2] += s * z;
            }
            for (int d = 0; d < 3; d++) speed[3 * i + d] += 1e-9 * a[d];
        }
        for (int i = 0; i < 3 * own; i++) mine[i] += 1e-3 * speed[i];
    }
    double sum = 0, all;
    for (int i = 0; i < 3 * own; i++) sum += mine[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) printf("%g\n", all);
    MPI_Finalize();
}

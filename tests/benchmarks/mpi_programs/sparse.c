/* Power iterations with a sparse matrix of near and far columns, dealt in rows: sparse ROWS ITERATIONS */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define NEAR 12
#define FAR 4

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), iterations = atoi(argv[2]), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int own = n / size, first = rank * own, wide = NEAR + FAR;
    int *column = malloc((size_t)own * wide * sizeof *column);
    double *value = malloc((size_t)own * wide * sizeof *value), *x = malloc(n * sizeof *x), *y = malloc(own * sizeof *y);
    srand(3 + rank);
    for (int i = 0; i < own; i++)
        for (int k = 0; k < wide; k++) {
            column[(size_t)i * wide + k] = k < NEAR ? (first + i + k * 3 + n - 18) % n : rand() % n;
            value[(size_t)i * wide + k] = 1.0 / (1 + k);
        }
    for (int i = 0; i < own; i++) y[i] = 1;
    double norm = 0;
    for (int k = 0; k < iterations; k++) {
        MPI_Allgather(y, own, MPI_DOUBLE, x, own, MPI_DOUBLE, MPI_COMM_WORLD);
        double local = 0;
        for (int i = 0; i < own; i++) {
            double sum = 0;
            for (int e = 0; e < wide; e++) sum += value[(size_t)i * wide + e] * x[column[(size_t)i * wide + e]];
            y[i] = sum;
            local += sum * sum;
        }
        MPI_Allreduce(&local, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double scale = 1 / sqrt(norm);
        for (int i = 0; i < own; i++) y[i] *= scale;
    }
    if (!rank) printf("%g\n", norm);
    MPI_Finalize();
}

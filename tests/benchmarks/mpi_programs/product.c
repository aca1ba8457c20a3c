/* The product of two square matrices; strips of the second go round a ring: product SIDE REPEATS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), repeats = atoi(argv[2]), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int own = n / size;
    double *a = malloc((size_t)own * n * sizeof *a), *b = malloc((size_t)own * n * sizeof *b);
    double *c = calloc((size_t)own * n, sizeof *c);
    for (int i = 0; i < own * n; i++) { a[i] = (i + rank) % 13; b[i] = (i * 3 + rank) % 11; }
    for (int t = 0; t < repeats; t++)
        for (int s = 0; s < size; s++) {
            int owner = (rank + s) % size;
            for (int i = 0; i < own; i++)
                for (int k = 0; k < own; k++) {
                    double x = a[(size_t)i * n + owner * own + k];
                    for (int j = 0; j < n; j++) c[(size_t)i * n + j] += x * b[(size_t)k * n + j];
                }
            MPI_Sendrecv_replace(b, own * n, MPI_DOUBLE, (rank + size - 1) % size, 3, (rank + 1) % size, 3,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    double sum = 0, all;
    for (int i = 0; i < own * n; i++) sum += c[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) printf("%g\n", all);
    MPI_Finalize();
}

/* Sums along the rows of a square matrix, then along its columns, as a two-dimensional Fourier transform does: rows are
   dealt in blocks, and each rank exchanges a block with each other rank, one after the other: transpose CELLS STEPS. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* log2(cells) passes over each row */
static void transform(double *a, int rows, int cells)
{
    for (int i = 0; i < rows; i++)
        for (int half = 1; half < cells; half *= 2)
            for (int j = 0; j < cells; j++)
                a[i * cells + j] = 0.5 * (a[i * cells + j] + a[i * cells + (j + half) % cells]);
}

int main(int argc, char **argv)
{
    int rank, size, cells = argc > 1 ? atoi(argv[1]) : 128, steps = argc > 2 ? atoi(argv[2]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = cells / size;
    size_t block = (size_t)rows * rows;
    double *a = malloc(block * size * sizeof *a), *out = malloc(block * sizeof *a), *in = malloc(block * sizeof *a);
    for (size_t k = 0; k < block * size; k++)
        a[k] = rank + k;
    for (int step = 0; step < 2 * steps; step++) {
        transform(a, rows, rows * size);
        for (int other = 1; other < size; other++) {
            int to = (rank + other) % size, from = (rank + size - other) % size;
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < rows; j++)
                    out[j * rows + i] = a[(size_t)i * rows * size + to * rows + j];
            MPI_Sendrecv(out, (int)block, MPI_DOUBLE, to, 7, in, (int)block, MPI_DOUBLE, from, 7, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < rows; j++)
                    a[(size_t)i * rows * size + from * rows + j] = in[i * rows + j];
        }
    }
    double least = a[0], all;
    MPI_Reduce(&least, &all, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("least: %g\n", all);
    free(a), free(out), free(in);
    MPI_Finalize();
    return 0;
}

/* A product of matrices on a grid of ranks: in each step one column of ranks sends its panel along the rows, one row
   along the columns, each in a communicator of its own (van de Geijn and Watts, 1997): panels BLOCK STEPS. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, sizes[2] = {0, 0}, block = argc > 1 ? atoi(argv[1]) : 48;
    MPI_Comm row, column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, sizes);
    int i = rank / sizes[1], j = rank % sizes[1], steps = argc > 2 ? atoi(argv[2]) : 2 * sizes[1];
    MPI_Comm_split(MPI_COMM_WORLD, i, j, &row);
    MPI_Comm_split(MPI_COMM_WORLD, j, i, &column);
    size_t cells = (size_t)block * block;
    double *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b), *c = calloc(cells, sizeof *c);
    for (int step = 0; step < steps; step++) {
        for (size_t k = 0; k < cells; k++) {
            a[k] = step % sizes[1] == j ? rank + k : 0;
            b[k] = step % sizes[0] == i ? rank - (double)k : 0;
        }
        MPI_Bcast(a, (int)cells, MPI_DOUBLE, step % sizes[1], row);
        MPI_Bcast(b, (int)cells, MPI_DOUBLE, step % sizes[0], column);
        for (int x = 0; x < block; x++)
            for (int y = 0; y < block; y++)
                for (int z = 0; z < block; z++)
                    c[x * block + z] += a[x * block + y] * b[y * block + z];
    }
    double greatest = c[0], all;
    MPI_Allreduce(&greatest, &all, 1, MPI_DOUBLE, MPI_MAX, row);
    MPI_Reduce(&all, &greatest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("greatest: %g\n", greatest);
    free(a), free(b), free(c);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}

/* Gauss-Seidel sweeps through a cube that is cut into columns, one for each rank of a grid: each plane of a column waits
   for those of the ranks above and to the left, as in SSOR (Barszcz and others, 1993): wavefront CELLS SWEEPS. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, sizes[2] = {0, 0}, periods[2] = {0, 0}, place[2], rank, up, down, left, right;
    int cells = argc > 1 ? atoi(argv[1]) : 48, sweeps = argc > 2 ? atoi(argv[2]) : 5;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, place);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);

    int rows = cells / sizes[0] + (place[0] < cells % sizes[0]), columns = cells / sizes[1] + (place[1] < cells % sizes[1]);
    double *cube = calloc((size_t)cells * rows * columns, sizeof *cube);
    double *above = calloc(columns, sizeof *above), *before = calloc(rows, sizeof *before), norm = 0, all;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int plane = 0; plane < cells; plane++) {
            double *x = cube + (size_t)plane * rows * columns;
            MPI_Recv(above, columns, MPI_DOUBLE, up, 1, grid, MPI_STATUS_IGNORE);
            MPI_Recv(before, rows, MPI_DOUBLE, left, 2, grid, MPI_STATUS_IGNORE);
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++) {
                    double north = i ? x[(i - 1) * columns + j] : above[j], west = j ? x[i * columns + j - 1] : before[i];
                    x[i * columns + j] = 0.3 * (north + west + x[i * columns + j]) + 1;
                }
            for (int j = 0; j < columns; j++)
                above[j] = x[(rows - 1) * columns + j];
            for (int i = 0; i < rows; i++)
                before[i] = x[i * columns + columns - 1];
            MPI_Send(above, columns, MPI_DOUBLE, down, 1, grid);
            MPI_Send(before, rows, MPI_DOUBLE, right, 2, grid);
        }
        norm = 0;
        for (size_t k = 0; k < (size_t)cells * rows * columns; k++)
            norm += cube[k] * cube[k];
        MPI_Allreduce(&norm, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    if (rank == 0)
        printf("norm: %g\n", all);
    free(cube), free(above), free(before);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}

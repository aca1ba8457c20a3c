/* Jacobi's iteration on a square that is cut into rectangles, one for each rank of a Cartesian grid: stencil CELLS STEPS.
   Edges are exchanged by persistent requests; every tenth step all ranks agree on the residual. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, sizes[2] = {0, 0}, periods[2] = {0, 0}, place[2], rank, up, down, left, right;
    int cells = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 20;
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
    int width = columns + 2;
    double *now = calloc((size_t)(rows + 2) * width, sizeof *now), *then = calloc((size_t)(rows + 2) * width, sizeof *now);
    double residual = 0;
    MPI_Datatype column;
    MPI_Type_vector(rows, 1, width, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < rows + 2; i++)
        now[i * width] = then[i * width] = place[1] == 0;

    MPI_Request edges[8];
    MPI_Recv_init(now + 1, columns, MPI_DOUBLE, up, 1, grid, edges);
    MPI_Recv_init(now + (rows + 1) * width + 1, columns, MPI_DOUBLE, down, 2, grid, edges + 1);
    MPI_Recv_init(now + width, 1, column, left, 3, grid, edges + 2);
    MPI_Recv_init(now + width + columns + 1, 1, column, right, 4, grid, edges + 3);
    MPI_Send_init(now + width + 1, columns, MPI_DOUBLE, up, 2, grid, edges + 4);
    MPI_Send_init(now + rows * width + 1, columns, MPI_DOUBLE, down, 1, grid, edges + 5);
    MPI_Send_init(now + width + 1, 1, column, left, 4, grid, edges + 6);
    MPI_Send_init(now + width + columns, 1, column, right, 3, grid, edges + 7);
    for (int step = 0; step < steps; step++) {
        MPI_Startall(8, edges);
        MPI_Waitall(8, edges, MPI_STATUSES_IGNORE);
        double change = 0;
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= columns; j++) {
                int at = i * width + j;
                then[at] = 0.25 * (now[at - 1] + now[at + 1] + now[at - width] + now[at + width]);
                change += fabs(then[at] - now[at]);
            }
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= columns; j++)
                now[i * width + j] = then[i * width + j];
        if (step % 10 == 9)
            MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    for (int k = 0; k < 8; k++)
        MPI_Request_free(edges + k);
    if (rank == 0)
        printf("residual: %g\n", residual);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    free(now);
    free(then);
    MPI_Finalize();
    return 0;
}

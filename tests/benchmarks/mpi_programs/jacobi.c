/* Seven-point Jacobi iterations in a cube, dealt in slabs: jacobi SIDE ITERATIONS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), iterations = atoi(argv[2]), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int planes = n / size, plane = n * n;
    double *u = calloc((size_t)(planes + 2) * plane, sizeof *u), *v = calloc((size_t)(planes + 2) * plane, sizeof *v);
    for (int i = 0; i < planes * plane; i++)
        u[plane + i] = (i * 37 + rank) % 101 * 0.01;
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank ? rank - 1 : MPI_PROC_NULL;
    double change = 0, all = 0;
    for (int k = 0; k < iterations; k++) {
        MPI_Sendrecv(u + planes * plane, plane, MPI_DOUBLE, up, 1, u, plane, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + plane, plane, MPI_DOUBLE, down, 2, u + (planes + 1) * plane, plane, MPI_DOUBLE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        change = 0;
        for (int z = 1; z <= planes; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < n - 1; x++) {
                    size_t at = (size_t)z * plane + y * n + x;
                    v[at] = (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + u[at - plane] + u[at + plane]) / 6;
                    change += fabs(v[at] - u[at]);
                }
        MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double *t = u; u = v; v = t;
    }
    if (!rank) printf("%g\n", all);
    MPI_Finalize();
}

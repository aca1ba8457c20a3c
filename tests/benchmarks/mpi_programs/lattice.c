/* Lattice Boltzmann, nine directions in the plane, dealt in rows: lattice SIDE STEPS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n / size, line = 9 * n;
    double *f = malloc((size_t)(rows + 2) * line * sizeof *f), *g = malloc((size_t)(rows + 2) * line * sizeof *g);
    for (int i = 0; i < (rows + 2) * n; i++)
        for (int q = 0; q < 9; q++)
            f[(size_t)i * 9 + q] = w[q] * (1 + 0.01 * ((i + rank) % 7));
    int up = (rank + 1) % size, down = (rank + size - 1) % size;
    for (int k = 0; k < steps; k++) {
        MPI_Request r[4];
        MPI_Irecv(f, line, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, r);
        MPI_Irecv(f + (size_t)(rows + 1) * line, line, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, r + 1);
        MPI_Isend(f + (size_t)rows * line, line, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, r + 2);
        MPI_Isend(f + line, line, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, r + 3);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        for (int y = 1; y <= rows; y++)
            for (int x = 0; x < n; x++) {
                double in[9], rho = 0, ux = 0, uy = 0;
                for (int q = 0; q < 9; q++) {
                    int sx = x - cx[q];
                    sx = sx < 0 ? n - 1 : sx == n ? 0 : sx;
                    in[q] = f[((size_t)(y - cy[q]) * n + sx) * 9 + q];
                    rho += in[q]; ux += cx[q] * in[q]; uy += cy[q] * in[q];
                }
                ux /= rho; uy /= rho;
                double uu = 1.5 * (ux * ux + uy * uy);
                for (int q = 0; q < 9; q++) {
                    double cu = 3 * (cx[q] * ux + cy[q] * uy);
                    g[((size_t)y * n + x) * 9 + q] = in[q] + 0.6 * (w[q] * rho * (1 + cu + 0.5 * cu * cu - uu) - in[q]);
                }
            }
        double *t = f; f = g; g = t;
    }
    double mass = 0, all;
    for (int i = 0; i < rows * line; i++) mass += f[line + i];
    MPI_Reduce(&mass, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) printf("%g\n", all);
    MPI_Finalize();
}

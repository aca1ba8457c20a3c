/* Conjugate gradients on a line of cells, -u'' = 1, rows dealt in blocks: cg ROWS STEPS.
   Each step exchanges one cell with both neighbours and needs two sums over all ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double sum(const double *a, const double *b, int rows)
{
    double here = 0, all;
    for (int i = 1; i <= rows; i++)
        here += a[i] * b[i];
    MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, size, total = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 25;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = total / size + (rank < total % size);
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double *x = calloc(rows + 2, sizeof *x), *r = calloc(rows + 2, sizeof *r);
    double *p = calloc(rows + 2, sizeof *p), *q = calloc(rows + 2, sizeof *q);
    for (int i = 1; i <= rows; i++)
        r[i] = p[i] = 1;
    double now = sum(r, r, rows);
    for (int step = 0; step < steps; step++) {
        MPI_Sendrecv(p + 1, 1, MPI_DOUBLE, before, 0, p + rows + 1, 1, MPI_DOUBLE, after, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(p + rows, 1, MPI_DOUBLE, after, 0, p, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            q[i] = 2 * p[i] - p[i - 1] - p[i + 1];
        double length = now / sum(p, q, rows);
        for (int i = 1; i <= rows; i++) {
            x[i] += length * p[i];
            r[i] -= length * q[i];
        }
        double next = sum(r, r, rows);
        for (int i = 1; i <= rows; i++)
            p[i] = r[i] + next / now * p[i];
        now = next;
    }
    if (rank == 0)
        printf("residual: %g\n", now);
    free(x), free(r), free(p), free(q);
    MPI_Finalize();
    return 0;
}

/* Multigrid on a periodic cube in slabs, as NPB MG has it: smoothing and residuals on four levels, each after an exchange
   of planes with both neighbours: mg CELLS CYCLES. CELLS is a multiple of 16 times the ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 4 };

typedef struct {
    int cells, planes;
    double *u, *r;
} Grid;

static int rank, size;

static size_t at(const Grid *g, int z, int y, int x)
{
    return ((size_t)z * g->cells + (y + g->cells) % g->cells) * g->cells + (x + g->cells) % g->cells;
}

static void exchange(const Grid *g, double *a)
{
    int plane = g->cells * g->cells, up = (rank + 1) % size, down = (rank + size - 1) % size;
    MPI_Sendrecv(a + (size_t)g->planes * plane, plane, MPI_DOUBLE, up, 1, a, plane, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + plane, plane, MPI_DOUBLE, down, 2, a + (size_t)(g->planes + 1) * plane, plane, MPI_DOUBLE, up, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* u += c (r - A u), with the seven-point Laplacian */
static void smooth(const Grid *g)
{
    exchange(g, g->u);
    for (int z = 1; z <= g->planes; z++)
        for (int y = 0; y < g->cells; y++)
            for (int x = 0; x < g->cells; x++) {
                size_t k = at(g, z, y, x);
                double near = g->u[at(g, z - 1, y, x)] + g->u[at(g, z + 1, y, x)] + g->u[at(g, z, y - 1, x)]
                    + g->u[at(g, z, y + 1, x)] + g->u[at(g, z, y, x - 1)] + g->u[at(g, z, y, x + 1)];
                g->u[k] += 0.1 * (g->r[k] + near - 6 * g->u[k]);
            }
}

static void restricted(const Grid *fine, const Grid *coarse)
{
    exchange(fine, fine->r);
    for (int z = 1; z <= coarse->planes; z++)
        for (int y = 0; y < coarse->cells; y++)
            for (int x = 0; x < coarse->cells; x++) {
                double sum = 0;
                for (int k = 0; k < 8; k++)
                    sum += fine->r[at(fine, 2 * z - 1 + (k & 1), 2 * y + (k >> 1 & 1), 2 * x + (k >> 2))];
                coarse->r[at(coarse, z, y, x)] = 0.5 * sum;
                coarse->u[at(coarse, z, y, x)] = 0;
            }
}

static void prolonged(const Grid *coarse, const Grid *fine)
{
    exchange(coarse, coarse->u);
    for (int z = 1; z <= fine->planes; z++)
        for (int y = 0; y < fine->cells; y++)
            for (int x = 0; x < fine->cells; x++)
                fine->u[at(fine, z, y, x)] += coarse->u[at(coarse, (z + 1) / 2, y / 2, x / 2)];
}

int main(int argc, char **argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 64, cycles = argc > 2 ? atoi(argv[2]) : 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Grid grids[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
        Grid g = {cells >> level, (cells >> level) / size, NULL, NULL};
        size_t all = (size_t)(g.planes + 2) * g.cells * g.cells;
        g.u = calloc(all, sizeof *g.u), g.r = calloc(all, sizeof *g.r);
        grids[level] = g;
    }
    for (int z = 1; z <= grids->planes; z++)
        grids->r[at(grids, z, z * 7 % cells, z * 3 % cells)] = z % 2 ? 1 : -1;

    double norm = 0, total = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
        for (int level = 0; level + 1 < LEVELS; level++) {
            smooth(grids + level);
            restricted(grids + level, grids + level + 1);
        }
        smooth(grids + LEVELS - 1);
        for (int level = LEVELS - 2; level >= 0; level--) {
            prolonged(grids + level + 1, grids + level);
            smooth(grids + level);
        }
        norm = 0;
        for (int z = 1; z <= grids->planes; z++)
            for (int k = 0; k < cells * cells; k++)
                norm += grids->u[(size_t)z * cells * cells + k];
        MPI_Allreduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum: %g\n", total);
    for (int level = 0; level < LEVELS; level++)
        free(grids[level].u), free(grids[level].r);
    MPI_Finalize();
    return 0;
}

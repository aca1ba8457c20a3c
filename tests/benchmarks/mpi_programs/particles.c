/* Forces between particles in a periodic cube of cells, nine of ten with one, as CoMD has them: columns of cells are dealt
   to a plane of ranks, which exchange the particles of their outer cells axis by axis: particles CELLS STEPS. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 4 }; /* number of the cell, and the place in it */

static int cells, rows, columns, sides[2], place[2];
static double *places, *forces; /* three of each cell; x < 0 where it is empty */
static MPI_Comm plane;

static size_t at(int y, int x, int z)
{
    return (((size_t)y * (columns + 2)) + x) * cells + (z + cells) % cells;
}

/* Send the particles of one layer along an axis, and enter those that come into the opposite one. */
static void exchange(int axis, int way, double *out, double *in)
{
    int from, to, extent = axis ? columns : rows, across = axis ? rows + 2 : columns + 2, count = 0, received;
    int layer = way > 0 ? extent : 1, halo = way > 0 ? 0 : extent + 1;
    for (int k = 0; k < across; k++)
        for (int z = 0; z < cells; z++) {
            double *p = places + 3 * (axis ? at(k, layer, z) : at(layer, k, z));
            if (p[0] < 0)
                continue;
            out[count] = k * cells + z;
            for (int d = 0; d < 3; d++)
                out[count + 1 + d] = p[d];
            count += WORDS;
        }
    MPI_Cart_shift(plane, axis, way, &from, &to);
    MPI_Status status;
    MPI_Sendrecv(out, count, MPI_DOUBLE, to, axis, in, across * cells * WORDS, MPI_DOUBLE, from, axis, plane, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &received);
    for (int k = 0; k < received; k += WORDS) {
        int cell = (int)in[k];
        double *p = places + 3 * (axis ? at(cell / cells, halo, cell % cells) : at(halo, cell / cells, cell % cells));
        for (int d = 0; d < 3; d++)
            p[d] = in[k + 1 + d];
    }
}

static void pull(int y, int x, int z)
{
    double *p = places + 3 * at(y, x, z), *f = forces + 3 * at(y, x, z);
    if (p[0] < 0)
        return;
    f[0] = f[1] = f[2] = 0;
    for (int k = 0; k < 27; k++) {
        int away[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
        double *q = places + 3 * at(y + away[0], x + away[1], z + away[2]), d[3], square = 0;
        if (q[0] < 0 || k == 13)
            continue;
        for (int i = 0; i < 3; i++)
            d[i] = q[i] + away[i] - p[i], square += d[i] * d[i];
        double sixth = 1 / (square * square * square + 0.1);
        for (int i = 0; i < 3; i++)
            f[i] -= d[i] * sixth * (2 * sixth - 1) / sqrt(square + 0.1);
    }
}

int main(int argc, char **argv)
{
    int size, periods[2] = {1, 1}, rank, steps = argc > 2 ? atoi(argv[2]) : 10;
    cells = argc > 1 ? atoi(argv[1]) : 32;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &plane);
    MPI_Comm_rank(plane, &rank);
    MPI_Cart_coords(plane, rank, 2, place);
    rows = cells / sides[0] + (place[0] < cells % sides[0]), columns = cells / sides[1] + (place[1] < cells % sides[1]);
    size_t all = (size_t)(rows + 2) * (columns + 2) * cells;
    places = malloc(3 * all * sizeof *places), forces = calloc(3 * all, sizeof *forces);
    for (size_t k = 0; k < 3 * all; k++)
        places[k] = -1;
    for (int y = 1; y <= rows; y++)
        for (int x = 1; x <= columns; x++)
            for (int z = 0; z < cells; z++) {
                unsigned hash = ((place[0] * 7919u + y) * 104729u + place[1] * 131u + x) * 7907u + z * 2654435761u;
                hash = (hash ^ hash >> 15) * 2246822519u;
                for (int d = 0; d < 3 && (hash >> 8) % 10; d++)
                    places[3 * at(y, x, z) + d] = 0.4 + 0.2 * ((hash >> 4 * d) % 16) / 16;
            }
    int widest = (rows > columns ? rows : columns) + 2;
    double *out = malloc(sizeof *out * widest * cells * WORDS), *in = malloc(sizeof *in * widest * cells * WORDS);
    double energy = 0, total = 0;
    for (int step = 0; step < steps; step++) {
        for (size_t k = 0; k < all; k++) { /* who comes in does so anew in each step */
            size_t y = k / cells / (columns + 2), x = k / cells % (columns + 2);
            if (y == 0 || x == 0 || y > (size_t)rows || x > (size_t)columns)
                places[3 * k] = -1;
        }
        for (int axis = 0; axis < 2; axis++)
            for (int way = 1; way >= -1; way -= 2)
                exchange(axis, way, out, in);
        for (int y = 1; y <= rows; y++)
            for (int x = 1; x <= columns; x++)
                for (int z = 0; z < cells; z++)
                    pull(y, x, z);
        energy = 0;
        for (size_t k = 0; k < 3 * all; k++) {
            energy += forces[k] * forces[k];
            places[k] = places[k] < 0 ? -1 : fmin(0.6, fmax(0.4, places[k] + 1e-6 * forces[k]));
        }
        if (step % 5 == 4)
            MPI_Allreduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, plane);
    }
    if (rank == 0)
        printf("energy: %g\n", total);
    free(out), free(in), free(places), free(forces);
    MPI_Comm_free(&plane);
    MPI_Finalize();
    return 0;
}

/* The game of life in bytes on a torus, dealt in rows: life SIDE GENERATIONS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), generations = atoi(argv[2]), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n / size, width = n + 2;
    unsigned char *a = calloc((size_t)(rows + 2) * width, 1), *b = calloc((size_t)(rows + 2) * width, 1);
    srand(9 + rank);
    for (int y = 1; y <= rows; y++)
        for (int x = 1; x <= n; x++) a[(size_t)y * width + x] = rand() % 3 == 0;
    int up = (rank + 1) % size, down = (rank + size - 1) % size;
    for (int k = 0; k < generations; k++) {
        for (int y = 1; y <= rows; y++) {
            a[(size_t)y * width] = a[(size_t)y * width + n];
            a[(size_t)y * width + n + 1] = a[(size_t)y * width + 1];
        }
        MPI_Sendrecv(a + (size_t)rows * width, width, MPI_BYTE, up, 1, a, width, MPI_BYTE, down, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(a + width, width, MPI_BYTE, down, 2, a + (size_t)(rows + 1) * width, width, MPI_BYTE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int y = 1; y <= rows; y++)
            for (int x = 1; x <= n; x++) {
                const unsigned char *p = a + (size_t)y * width + x;
                int sum = p[-1] + p[1] + p[-width - 1] + p[-width] + p[-width + 1] + p[width - 1] + p[width] + p[width + 1];
                if (sum == 3) b[(size_t)y * width + x] = 1;
                else if (sum != 2) b[(size_t)y * width + x] = 0;
                else b[(size_t)y * width + x] = *p;
            }
        unsigned char *t = a; a = b; b = t;
    }
    long alive = 0, all;
    for (int y = 1; y <= rows; y++)
        for (int x = 1; x <= n; x++) alive += a[(size_t)y * width + x];
    MPI_Reduce(&alive, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) printf("%ld\n", all);
    MPI_Finalize();
}

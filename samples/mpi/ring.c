/* A token goes round a ring of ranks and grows: ring ROUNDS.
   Try: mpicc -O2 ring.c -o ring && apet trace acquire -n 8 -- ./ring 4 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 1 << 10, LAST = 1 << 18 };

static double token[LAST];

int main(int argc, char **argv)
{
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int round = 0, count = FIRST; round < rounds; round++, count = count < LAST ? 4 * count : LAST) {
        if (rank > 0)
            MPI_Recv(token, count, MPI_DOUBLE, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            token[i] = 0.5 * token[i] + rank;
        MPI_Send(token, count, MPI_DOUBLE, next, round, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(token, count, MPI_DOUBLE, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("token: %g\n", token[0]);
    MPI_Finalize();
    return 0;
}

/* Seconds that a message takes from rank 0 to the last rank: half of a round trip, `BYTES SECONDS` per line.
   pingpong PASSES BYTES... : in each pass all sizes, each as often as fits into its share of time. What is printed is
   the tenth percentile: what else runs on a machine makes round trips longer, never shorter. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, LEAST = 10 };

static const double share = 0.01;

static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double round_trip(char *data, int bytes, int first, int other)
{
    double begin = MPI_Wtime();
    if (first)
        MPI_Send(data, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first)
        MPI_Send(data, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    return MPI_Wtime() - begin;
}

int main(int argc, char **argv)
{
    static double taken[MOST];
    int rank, size, most = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int passes = argc > 1 ? atoi(argv[1]) : 1, last = size - 1;
    for (int k = 2; k < argc; k++)
        most = atoi(argv[k]) > most ? atoi(argv[k]) : most;
    char *data = malloc((size_t)most);
    memset(data, 1, (size_t)most);
    for (int pass = 0; pass < passes && size > 1; pass++)
        for (int k = 2; k < argc; k++) {
            int bytes = atoi(argv[k]), rounds = 0, more = 1, other = rank == 0 ? last : 0;
            if (rank != 0 && rank != last)
                continue;
            round_trip(data, bytes, rank == 0, other);
            for (double end = MPI_Wtime() + share; more; rounds++) {
                data[0] = rounds + 1 < LEAST || (rounds + 1 < MOST && MPI_Wtime() < end); /* whether there is another */
                taken[rounds] = round_trip(data, bytes, rank == 0, other);
                more = data[0];
            }
            if (rank == 0) {
                qsort(taken, (size_t)rounds, sizeof *taken, order);
                printf("%d %.9g\n", bytes, taken[rounds / 10] / 2);
            }
        }
    free(data);
    MPI_Finalize();
    return 0;
}

/* Keys sorted by buckets, as NPB IS does: counts of all ranks, an exchange of all with all whose parts depend on the keys,
   and a count of each key: sort KEYS ROUNDS. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1024, RANGE = 1 << 19 };

int main(int argc, char **argv)
{
    int rank, size, total = argc > 1 ? atoi(argv[1]) : 1 << 20, rounds = argc > 2 ? atoi(argv[2]) : 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int keys = total / size + (rank < total % size), *key = malloc(keys * sizeof *key), *by_bucket = malloc(keys * sizeof *key);
    int *mine = calloc(BUCKETS, sizeof *mine), *all = calloc(BUCKETS, sizeof *all), *next = calloc(BUCKETS, sizeof *next);
    int *to = calloc(size, sizeof *to), *from = calloc(size, sizeof *from), *ranks_of = calloc(BUCKETS, sizeof *ranks_of);
    int *sent_at = calloc(size + 1, sizeof *to), *received_at = calloc(size + 1, sizeof *to);
    int *received = malloc((2 * (size_t)total / size + BUCKETS) * sizeof *received), *count = calloc(RANGE, sizeof *count);
    unsigned long long state = 314159265ull + 7919 * rank;
    for (int k = 0; k < keys; k++) {
        unsigned long long sum = 0;
        for (int d = 0; d < 4; d++)
            sum += (state = state * 6364136223846793005ull + 1442695040888963407ull) >> 45;
        key[k] = (int)(sum / 4); /* a mean of four, below RANGE */
    }
    for (int round = 0; round < rounds; round++) {
        for (int b = 0; b < BUCKETS; b++)
            mine[b] = 0;
        for (int k = 0; k < keys; k++)
            mine[key[k] / (RANGE / BUCKETS)]++;
        MPI_Allreduce(mine, all, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

        /* whole buckets to ranks, so that each has about as many keys */
        long long before = 0;
        for (int r = 0; r < size; r++)
            to[r] = 0;
        for (int b = 0, place = 0; b < BUCKETS; place += mine[b++]) {
            int owner = (int)(before * size / total);
            ranks_of[b] = owner < size ? owner : size - 1;
            to[ranks_of[b]] += mine[b];
            next[b] = place;
            before += all[b];
        }
        for (int k = 0; k < keys; k++)
            by_bucket[next[key[k] / (RANGE / BUCKETS)]++] = key[k];
        MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < size; r++)
            sent_at[r + 1] = sent_at[r] + to[r], received_at[r + 1] = received_at[r] + from[r];
        MPI_Alltoallv(by_bucket, to, sent_at, MPI_INT, received, from, received_at, MPI_INT, MPI_COMM_WORLD);

        for (int k = 0; k < RANGE; k++)
            count[k] = 0;
        for (int k = 0; k < received_at[size]; k++)
            count[received[k]]++;
        for (int k = 1; k < RANGE; k++)
            count[k] += count[k - 1];
        key[round % (keys ? keys : 1)] = round;
    }
    if (rank == 0)
        printf("keys here: %d\n", count[RANGE - 1]);
    free(key), free(by_bucket), free(mine), free(all), free(next), free(to), free(from), free(ranks_of);
    free(sent_at), free(received_at), free(received), free(count);
    MPI_Finalize();
    return 0;
}

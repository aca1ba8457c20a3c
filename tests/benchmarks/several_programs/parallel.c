/* MPI programs for SimGrid's smpirun: work is injected as flops with 2 % jitter, messages have their real sizes.

   smpirun … ./parallel NAME n prints the run time and the mean time of each phase over ranks, in seconds. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <smpi/smpi.h>

#define MOST (1 << 25)

static int rank, size;
static long n;
static char *buffer, *other;
static double spent[4], mark;
static unsigned long long state;

static double uniform(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

static void phase(int k) {
    double now = MPI_Wtime();
    spent[k] += now - mark;
    mark = now;
}

static void work(double flops) {
    double jitter = (uniform() + uniform() + uniform() + uniform() - 2.0) * 1.732;
    smpi_execute_flops(flops * (1 + 0.02 * jitter));
    phase(0);
}

static int bytes(double count) {
    double all = count * 8;
    return all > MOST ? MOST : all < 1 ? 1 : (int)all;
}

static void exchange(int to, int from, double count) {
    MPI_Sendrecv(buffer, bytes(count), MPI_BYTE, to, 1, other, bytes(count), MPI_BYTE, from, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* Row panels of a matrix product go round by broadcast: n^3/P + n^2. */
static void panels(void) {
    for (int k = 0; k < size; k++) {
        MPI_Bcast(buffer, bytes((double)n * n / size), MPI_BYTE, k, MPI_COMM_WORLD);
        phase(1);
        work(2.0 * n * n * n / size / size);
    }
}

/* Sort, exchange by samples, merge: n log n / P, all to all. */
static void sample_sort(void) {
    double own = (double)n / size;
    work(60 * own * log2(own + 2));
    MPI_Allgather(buffer, bytes(size), MPI_BYTE, other, bytes(size), MPI_BYTE, MPI_COMM_WORLD);
    work(40.0 * size * size * log2(size + 1));
    phase(2);
    MPI_Alltoall(buffer, bytes(own / size), MPI_BYTE, other, bytes(own / size), MPI_BYTE, MPI_COMM_WORLD);
    phase(1);
    work(25 * own * log2(size + 1));
}

/* Alignment of two strings, columns by rank, 32 blocks of rows one after the other: a pipeline that fills and drains. */
static void wavefront(void) {
    for (int block = 0; block < 32; block++) {
        if (rank > 0) MPI_Recv(buffer, bytes(n / 32.0), MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        phase(1);
        work(7.0 * n / 32 * n / size);
        if (rank < size - 1) MPI_Send(buffer, bytes(n / 32.0), MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
        phase(2);
    }
}

/* Conjugate gradients on 25 entries a row: the vector is gathered, two scalar products a step. */
static void conjugate_gradients(void) {
    for (int step = 0; step < 15; step++) {
        MPI_Allgather(buffer, bytes((double)n / size), MPI_BYTE, other, bytes((double)n / size), MPI_BYTE, MPI_COMM_WORLD);
        phase(1);
        work(60.0 * n / size);
        MPI_Allreduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        phase(2);
    }
}

/* Shortest paths of all pairs, eight rows at a time. */
static void all_pairs(void) {
    for (long k = 0; k < n; k += 8) {
        MPI_Bcast(buffer, bytes(8.0 * n), MPI_BYTE, (int)(k / 8) % size, MPI_COMM_WORLD);
        phase(1);
        work(16.0 * n * n / size);
    }
}

/* Independent samples whose cost differs between ranks by up to 40 %, collected and sorted by one of them. */
static void monte_carlo(void) {
    work(400.0 * n / size * (1 + 0.2 * sin(1.7 * rank)));
    MPI_Gather(buffer, bytes(sqrt((double)n)), MPI_BYTE, other, bytes(sqrt((double)n)), MPI_BYTE, 0, MPI_COMM_WORLD);
    phase(1);
    if (rank == 0) smpi_execute_flops(30 * sqrt((double)n) * size * log2(sqrt((double)n) * size));
    MPI_Barrier(MPI_COMM_WORLD);
    phase(2);
}

/* Clusters of points in 16 dimensions, 64 centres: points are shared, centres are summed; a cache holds 1 MB of points. */
static void clusters(void) {
    double own = (double)n / size, slower = 1 + 0.6 / (1 + exp(-2 * log(own * 128 / 1e6)));
    for (int step = 0; step < 8; step++) {
        work(3.0 * 64 * 16 * own * slower);
        MPI_Allreduce(buffer, other, 64 * 17, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        phase(1);
    }
    MPI_Gather(buffer, bytes(own / 8), MPI_BYTE, other, bytes(own / 8), MPI_BYTE, 0, MPI_COMM_WORLD);
    phase(2);
}

/* A plate of n x n in blocks: borders go to four neighbours, the residual is summed in every fifth of 20 steps. */
static void heat(void) {
    int rows = (int)sqrt(size);
    while (size % rows) rows--;
    int columns = size / rows, up = (rank + columns) % size, down = (rank + size - columns) % size;
    int left = rank - rank % columns + (rank + columns - 1) % columns, right = rank - rank % columns + (rank + 1) % columns;
    for (int step = 0; step < 20; step++) {
        exchange(up, down, (double)n / columns);
        exchange(down, up, (double)n / columns);
        exchange(left, right, (double)n / rows);
        exchange(right, left, (double)n / rows);
        phase(1);
        work(9.0 * n / size * n);
        if (step % 5 == 4) MPI_Allreduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        phase(2);
    }
}

/* Three transforms of n^2 values over a distributed axis, each with an exchange of all with all; energy is summed. */
static void spectral(void) {
    double own = (double)n * n / size;
    for (int axis = 0; axis < 3; axis++) {
        work(5 * own * log2(n));
        MPI_Alltoall(buffer, bytes(own / size), MPI_BYTE, other, bytes(own / size), MPI_BYTE, MPI_COMM_WORLD);
        phase(1);
    }
    MPI_Allreduce(buffer, other, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    phase(2);
}

/* A product of matrices whose panels go round a ring, a step for each rank. */
static void ring_product(void) {
    for (int step = 0; step < size; step++) {
        work(2.0 * n * n / size * n / size);
        exchange((rank + 1) % size, (rank + size - 1) % size, (double)n * n / size);
        phase(1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    phase(2);
}

/* n tasks of 40 Mflop up to 20 % apart, handed out one by one by rank 0, which works alone where there is no other. */
static void task_farm(void) {
    MPI_Status from;
    if (size == 1)
        for (long k = 0; k < n; k++) work(4e7 * (0.9 + 0.2 * uniform()));
    else if (rank == 0)
        for (long k = 0; k < n + size - 1; k++) {
            MPI_Recv(other, 4096, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &from);
            MPI_Send(buffer, k < n ? 2048 : 1, MPI_BYTE, from.MPI_SOURCE, k < n, MPI_COMM_WORLD);
            phase(1);
        }
    else
        for (int more = 1; more;) {
            MPI_Send(buffer, 4096, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(other, 2048, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &from);
            phase(2);
            if ((more = from.MPI_TAG)) work(4e7 * (0.9 + 0.2 * uniform()));
        }
}

/* Ranks of n pages with 12 links: sums of all are scattered, what hangs loose is summed, eight times. */
static void ranking(void) {
    int counts[64];
    for (int k = 0; k < size; k++) counts[k] = bytes((double)n / size) / 8 + 1;
    for (int step = 0; step < 8; step++) {
        work(40.0 * n / size);
        MPI_Reduce_scatter(other, buffer, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        phase(1);
        MPI_Allreduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        phase(2);
    }
}

/* A table of n rows is sent to all, selected from, and positions of results are known by a prefix sum. */
static void selection(void) {
    MPI_Scatter(other, bytes(2.0 * n / size), MPI_BYTE, buffer, bytes(2.0 * n / size), MPI_BYTE, 0, MPI_COMM_WORLD);
    phase(1);
    work(90.0 * n / size * (1 + 0.1 * cos(rank)));
    MPI_Scan(buffer, other, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    phase(2);
    work(30.0 * n / size);
    MPI_Gather(buffer, bytes(0.2 * n / size), MPI_BYTE, other, bytes(0.2 * n / size), MPI_BYTE, 0, MPI_COMM_WORLD);
    phase(1);
}

/* A cube of n^3 cells in slabs of two axes: faces to four neighbours, without blocking, 10 steps; the step is agreed on. */
static void faces(void) {
    int rows = (int)sqrt(size);
    while (size % rows) rows--;
    int columns = size / rows, row = rank / columns, column = rank % columns;
    int next[4] = {(row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column,
                   row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns};
    for (int step = 0; step < 10; step++) {
        MPI_Request open[8];
        for (int k = 0; k < 4; k++) {
            int count = bytes((double)n * n / (k < 2 ? columns : rows));
            MPI_Irecv(other, count, MPI_BYTE, next[k], k ^ 1, MPI_COMM_WORLD, &open[k]);
            MPI_Isend(buffer, count, MPI_BYTE, next[k], k, MPI_COMM_WORLD, &open[4 + k]);
        }
        MPI_Waitall(8, open, MPI_STATUSES_IGNORE);
        phase(1);
        work(14.0 * n * n * n / size);
        MPI_Allreduce(buffer, other, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        phase(2);
    }
}

/* Keys sorted by rank, then merged with one neighbour and the other in turn, as many times as there are ranks. */
static void transposition(void) {
    double own = (double)n / size;
    work(50 * own * log2(own + 2));
    for (int turn = 0; turn < size; turn++) {
        int partner = (rank + turn) % 2 ? rank - 1 : rank + 1;
        if (partner >= 0 && partner < size) {
            exchange(partner, partner, own);
            phase(1);
            work(12 * own);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    phase(2);
}

/* Four batches of n examples shared by the ranks; 500,000 gradients are summed after each, the loss is collected. */
static void training(void) {
    for (int batch = 0; batch < 4; batch++) {
        work(2e6 * n / size);
        MPI_Allreduce(buffer, other, 500000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        phase(1);
        MPI_Reduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        phase(2);
    }
}

/* n frames go through all ranks, each of which does its part of 30 Mflop. */
static void frames(void) {
    for (long k = 0; k < n; k++) {
        if (rank > 0) MPI_Recv(buffer, 40000, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        phase(1);
        work(3e7 / size);
        if (rank < size - 1) MPI_Send(buffer, 40000, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
        phase(2);
    }
}

/* Bodies in a tree: boxes of all ranks are gathered, forces take n log n, ranks with more neighbours take longer. */
static void bodies(void) {
    for (int step = 0; step < 5; step++) {
        work(30.0 * n / size * log2(n));
        MPI_Allgather(buffer, bytes(60 * log2(n)), MPI_BYTE, other, bytes(60 * log2(n)), MPI_BYTE, MPI_COMM_WORLD);
        phase(1);
        work(200.0 * n / size * log2(n) * (1 + 0.15 * sin(0.9 * rank)));
        MPI_Barrier(MPI_COMM_WORLD);
        phase(2);
    }
}

/* Six steps over n rows; after every third one rank gathers the state and packs it alone. */
static void snapshots(void) {
    for (int step = 0; step < 6; step++) {
        work(300.0 * n / size);
        exchange((rank + 1) % size, (rank + size - 1) % size, 500);
        phase(1);
        if (step % 3 != 2) continue;
        MPI_Gather(buffer, bytes((double)n / size), MPI_BYTE, other, bytes((double)n / size), MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0) smpi_execute_flops(8.0 * n);
        MPI_Barrier(MPI_COMM_WORLD);
        phase(2);
    }
}

/* Columns of a triangular factor, dealt by blocks of 16: each is factored, sent to all, and taken from those behind it. */
static void triangle(void) {
    for (long k = 0; k < n; k += 16) {
        double left = n - k;
        if (k / 16 % size == rank) smpi_execute_flops(256.0 * left);
        MPI_Bcast(buffer, bytes(16 * left), MPI_BYTE, (int)(k / 16 % size), MPI_COMM_WORLD);
        phase(1);
        work(16.0 * left * left / size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    phase(2);
}

static const struct { const char *name; void (*run)(void); } PROGRAMS[] = {
    {"panels", panels}, {"sample_sort", sample_sort}, {"wavefront", wavefront}, {"all_pairs", all_pairs},
    {"conjugate_gradients", conjugate_gradients}, {"monte_carlo", monte_carlo}, {"clusters", clusters},
    {"heat", heat}, {"spectral", spectral}, {"ring_product", ring_product}, {"task_farm", task_farm},
    {"ranking", ranking}, {"selection", selection},
    {"faces", faces}, {"transposition", transposition}, {"training", training}, {"frames", frames},
    {"bodies", bodies}, {"snapshots", snapshots}, {"triangle", triangle},
};

int main(int count, char **arguments) {
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = atol(arguments[2]);
    state = 12345 + 7919ULL * rank + 104729ULL * n + 1299709ULL * size;
    buffer = SMPI_SHARED_MALLOC(MOST);
    other = SMPI_SHARED_MALLOC((size_t)MOST * 2);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = mark = MPI_Wtime();
    for (unsigned k = 0; k < sizeof PROGRAMS / sizeof *PROGRAMS; k++)
        if (!strcmp(PROGRAMS[k].name, arguments[1])) PROGRAMS[k].run();
    double own = MPI_Wtime() - start, longest, sums[4];
    MPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(spent, sums, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.9g %.9g %.9g %.9g\n", longest, sums[0] / size, sums[1] / size, sums[2] / size);
    SMPI_SHARED_FREE(buffer);
    SMPI_SHARED_FREE(other);
    MPI_Finalize();
    return 0;
}

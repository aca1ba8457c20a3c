/* Plays a trace: ./player FILE makes the MPI calls that the lines of each rank say. Sizes are bytes, computing is left
 * out but by SimGrid (-DSIMULATED), where all begin at second 1. Prints: rank, seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef SIMULATED
#define FLOPS(x) smpi_execute_flops(x)
#else
#define FLOPS(x) (void)(x)
#endif

enum { WORDS = 400, OPEN = 4096, GROUPS = 64, LARGEST = 1 << 26 };
static int rank, size, members, own, opened, groups;
static char *words[WORDS], *out, *in;
static int number;
static struct { int kind, from, to; } keys[OPEN];
static MPI_Request open_ones[OPEN];
static MPI_Status statuses[OPEN];
static struct { char name[512]; MPI_Comm comm; } known[GROUPS];
static int one[64], two[64], zero[64];
#define BYTES MPI_BYTE
#define N(k) ((int)atof(words[k]))

static MPI_Comm communicator(const char *list)
{
    int ranks[64], count = 0;
    char text[512], *rest = text;
    MPI_Group all, some;
    for (int k = 0; k < groups; k++)
        if (!strcmp(known[k].name, list))
            return known[k].comm;
    strcpy(text, list);
    for (char *each; (each = strtok_r(rest, ",", &rest));) {
        int low, high;
        if (sscanf(each, "%d-%d", &low, &high) < 2)
            high = low;
        for (; low <= high; low++)
            ranks[count++] = low;
    }
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, count, ranks, &some);
    strcpy(known[groups].name, list);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 0, &known[groups].comm);
    return known[groups++].comm;
}

static void keep(int kind, int from, int to, MPI_Request request)
{
    keys[opened].kind = kind, keys[opened].from = from, keys[opened].to = to;
    open_ones[opened++] = request;
}

static void forget(int at)
{
    opened--;
    memmove(keys + at, keys + at + 1, sizeof *keys * (size_t)(opened - at));
    memmove(open_ones + at, open_ones + at + 1, sizeof *open_ones * (size_t)(opened - at));
}

static void wait_for(int from, int to, int kind, int older)
{
    for (int k = 0; k < opened; k++)
        if (keys[k].kind == kind && (kind < 0 || (keys[k].from == from && keys[k].to == to)) && older-- == 0) {
            MPI_Wait(open_ones + k, MPI_STATUS_IGNORE);
            forget(k);
            return;
        }
}

static void numbers(int first, int *into)
{
    for (int k = 0; k < members; k++)
        into[k] = N(first + k);
}

#define IS(name) (!strcmp(words[1], name))

static int message(void)
{
    MPI_Request request;
    MPI_Comm w = MPI_COMM_WORLD;
    if (IS("send")) MPI_Send(out, N(4), BYTES, N(2), N(3), w);
    else if (IS("ssend")) MPI_Ssend(out, N(4), BYTES, N(2), N(3), w);
    else if (IS("recv")) MPI_Recv(in, N(4), BYTES, N(2), N(3), w, MPI_STATUS_IGNORE);
    else if (IS("isend")) MPI_Isend(out, N(4), BYTES, N(2), N(3), w, &request), keep(N(3), rank, N(2), request);
    else if (IS("issend")) MPI_Issend(out, N(4), BYTES, N(2), N(3), w, &request), keep(N(3), rank, N(2), request);
    else if (IS("irecv")) MPI_Irecv(in, N(4), BYTES, N(2), N(3), w, &request), keep(N(3), N(2), rank, request);
    else return 0;
    return 1;
}

static int collective(MPI_Comm c)
{
    MPI_Request q = MPI_REQUEST_NULL;
    int kind = 0;
    if (IS("barrier")) MPI_Barrier(c);
    else if (IS("bcast")) MPI_Bcast(out, N(2), BYTES, N(3), c);
    else if (IS("allreduce")) MPI_Allreduce(out, in, N(2), MPI_CHAR, MPI_MAX, c);
    else if (IS("reduce")) MPI_Reduce(out, in, N(2), MPI_CHAR, MPI_MAX, N(4), c);
    else if (IS("allgather")) MPI_Allgather(out, N(2), BYTES, in, N(3), BYTES, c);
    else if (IS("ibarrier")) MPI_Ibarrier(c, &q), kind = -779;
    else if (IS("ibcast")) MPI_Ibcast(out, N(2), BYTES, N(3), c, &q), kind = -3335;
    else if (IS("ireduce")) MPI_Ireduce(out, in, N(2), MPI_CHAR, MPI_MAX, N(4), c, &q), kind = -113;
    else if (IS("iallreduce")) MPI_Iallreduce(out, in, N(2), MPI_CHAR, MPI_MAX, c, &q), kind = -4446;
    else if (IS("iscan")) MPI_Iscan(out, in, N(2), MPI_CHAR, MPI_MAX, c, &q), kind = -889;
    else if (IS("iexscan")) MPI_Iexscan(out, in, N(2), MPI_CHAR, MPI_MAX, c, &q), kind = -889;
    else if (IS("igather")) MPI_Igather(out, N(2), BYTES, in, N(3), BYTES, N(4), c, &q), kind = -446;
    else if (IS("iscatter")) MPI_Iscatter(out, N(2), BYTES, in, N(3), BYTES, N(4), c, &q), kind = -224;
    else if (IS("iallgather")) MPI_Iallgather(out, N(2), BYTES, in, N(3), BYTES, c, &q), kind = -557;
    else if (IS("ialltoall")) MPI_Ialltoall(out, N(2), BYTES, in, N(3), BYTES, c, &q), kind = -1113;
    else if (IS("igatherv"))
        numbers(3, one), MPI_Igatherv(out, N(2), BYTES, in, one, zero, BYTES, N(3 + members), c, &q), kind = -2224;
    else if (IS("iscatterv"))
        numbers(2, one), MPI_Iscatterv(out, one, zero, BYTES, in, N(2 + members), BYTES, N(3 + members), c, &q), kind = -335;
    else if (IS("iallgatherv"))
        numbers(3, one), MPI_Iallgatherv(out, one[own], BYTES, in, one, zero, BYTES, c, &q), kind = -668;
    else if (IS("ialltoallv"))
        numbers(3, one), numbers(4 + members, two), MPI_Ialltoallv(out, one, zero, BYTES, in, two, zero, BYTES, c, &q),
            kind = -1001;
    else if (IS("ireducescatter"))
        numbers(2, one), MPI_Ireduce_scatter(out, in, one, MPI_CHAR, MPI_MAX, c, &q), kind = -890;
    else return 0;
    if (kind)
        keep(kind, 0, 0, q);
    return 1;
}

static void act(MPI_Comm comm, int older)
{
    int at;
    MPI_Comm_size(comm, &members);
    MPI_Comm_rank(comm, &own);
    if (IS("compute")) FLOPS(atof(words[2]));
    else if (IS("wait")) wait_for(N(2), N(3), N(4), older);
    else if (IS("waitall")) MPI_Waitall(opened, open_ones, statuses), opened = 0;
    else if (IS("waitany")) {
        MPI_Waitany(opened, open_ones, &at, MPI_STATUS_IGNORE);
        if (at != MPI_UNDEFINED)
            forget(at);
    } else if (!message() && !collective(comm) && !IS("init") && !IS("finalize")) {
        fprintf(stderr, "what is %s?\n", words[1]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* All lines of this rank; at first only their communicators are made. */
static void play(const char *name, int only_made)
{
    static char line[1 << 16];
    FILE *file = fopen(name, "r");
    while (fgets(line, sizeof line, file)) {
        char *comment = strchr(line, '#'), *rest = line, list[512];
        MPI_Comm comm = MPI_COMM_WORLD;
        int older = 0;
        if (comment)
            *comment++ = 0;
        for (number = 0; number < WORDS && (words[number] = strtok_r(rest, " \t\r\n", &rest));)
            number++;
        if (number < 2 || atoi(words[0]) != rank)
            continue;
        if (comment && sscanf(comment, " comm %511s", list) == 1)
            comm = communicator(list);
        else if (comment)
            sscanf(comment, " request %d", &older);
        if (!only_made)
            act(comm, older);
    }
    fclose(file);
}

int main(int count, char **given)
{
    MPI_Init(&count, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = calloc(LARGEST, 1), in = calloc(LARGEST, 1);
    play(given[1], 1);
#ifdef SIMULATED
    double left = 1 - MPI_Wtime();
    struct timespec until = {0, (long)(left * 1e9 + 0.5)};
    nanosleep(&until, NULL);
#endif
    play(given[1], 0);
    printf("R %d %.9f\n", rank, MPI_Wtime() - 1);
    MPI_Finalize();
    return 0;
}

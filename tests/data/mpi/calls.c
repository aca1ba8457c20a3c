/* Every kind of call that a trace has a line for, on 4 ranks. */
#include <mpi.h>
#include <stdlib.h>

static char a[1 << 17], b[1 << 17];

static void persistent(int next, int previous, MPI_Comm comm)
{
    MPI_Request r[2];
    for (int synchronous = 0; synchronous < 2; synchronous++) {
        if (synchronous)
            MPI_Ssend_init(a, 100, MPI_CHAR, next, 1, comm, r);
        else
            MPI_Send_init(a, 100, MPI_CHAR, next, 1, comm, r);
        MPI_Recv_init(b, 100, MPI_CHAR, previous, 1, comm, r + 1);
        for (int k = 0; k < 2 - synchronous; k++) {
            MPI_Start(r + 1);
            MPI_Start(r);
            MPI_Wait(r + 1, MPI_STATUS_IGNORE);
            MPI_Wait(r, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(r);
        MPI_Request_free(r + 1);
    }
}

/* Requests of one key, waited for in the other order; any, some, test; one of two wildcards. */
static void completions(int rank)
{
    MPI_Request r[3];
    int index, flag = 0, indices[3], count, left;
    if (rank == 0) {
        for (int k = 0; k < 3; k++)
            MPI_Send(a, 10 + k, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
        MPI_Send(a, 20, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
        MPI_Send(a, 30, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
    } else if (rank == 1) {
        for (int k = 0; k < 3; k++)
            MPI_Irecv(b + 100 * k, 100, MPI_CHAR, 0, 2, MPI_COMM_WORLD, r + k);
        MPI_Wait(r + 1, MPI_STATUS_IGNORE);
        MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
        for (left = 1; left > 0; left -= count)
            MPI_Waitsome(1, r + 2, &count, indices, MPI_STATUSES_IGNORE);
        MPI_Irecv(b, 100, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, r);
        MPI_Irecv(b + 100, 100, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, r + 1);
        MPI_Irecv(b + 200, 100, MPI_CHAR, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, r + 2);
        while (!flag)
            MPI_Test(r, &flag, MPI_STATUS_IGNORE);
        MPI_Cancel(r + 2);
        MPI_Waitall(2, r + 1, MPI_STATUSES_IGNORE);
    }
}

/* The same tag in three communicators; probes; nobody at the other end; between two groups. */
static void communicators(int rank, MPI_Comm half, MPI_Comm again)
{
    MPI_Status status;
    MPI_Message message;
    int bytes, me;
    MPI_Comm between;
    MPI_Comm_rank(half, &me);
    if (me == 0) {
        MPI_Send(a, 1, MPI_CHAR, 1, 5, half);
        MPI_Send(a, 2, MPI_CHAR, (rank + 2) % 4, 5, again);
        MPI_Ssend(a, 3, MPI_CHAR, (rank + 2) % 4, 5, MPI_COMM_WORLD);
    } else {
        MPI_Recv(b, 9, MPI_CHAR, (rank + 2) % 4, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Probe(MPI_ANY_SOURCE, 5, again, &status);
        MPI_Get_count(&status, MPI_CHAR, &bytes);
        MPI_Recv(b, bytes, MPI_CHAR, status.MPI_SOURCE, 5, again, &status);
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, half, &message, &status);
        MPI_Mrecv(b, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    }
    MPI_Send(a, 4, MPI_CHAR, MPI_PROC_NULL, 5, half);
    MPI_Sendrecv(a, 4, MPI_CHAR, me ? MPI_PROC_NULL : 1, 6, b, 4, MPI_CHAR, me ? 0 : MPI_PROC_NULL, 6, half, &status);
    MPI_Sendrecv_replace(a, 8, MPI_CHAR, (rank + 1) % 4, 7, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 8, &between);
    if (rank % 2 == 0)
        MPI_Send(a, 5, MPI_CHAR, me, 9, between);
    else
        MPI_Recv(b, 5, MPI_CHAR, me, 9, between, &status);
    MPI_Comm_free(&between);
}

static void collectives(int rank, MPI_Comm comm)
{
    int size, me, n[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6}, one[4] = {1, 1, 1, 1};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Request r;
    int x[64] = {0}, y[64] = {0};
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &me);
    MPI_Barrier(comm);
    MPI_Bcast(x, 3, MPI_INT, 1, comm);
    MPI_Reduce(x, y, 2, MPI_DOUBLE, MPI_SUM, 1, comm);
    MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INT, MPI_SUM, comm);
    MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(x, y, 1, MPI_INT, MPI_SUM, comm);
    MPI_Gather(me == 0 ? MPI_IN_PLACE : x, 2, MPI_INT, y, 2, MPI_INT, 0, comm);
    MPI_Scatter(x, 2, MPI_INT, me == 0 ? MPI_IN_PLACE : y, 2, MPI_INT, 0, comm);
    MPI_Allgather(x, 2, MPI_INT, y, 2, MPI_INT, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, y, 2, MPI_INT, comm);
    MPI_Alltoall(x, 2, MPI_INT, y, 2, MPI_INT, comm);
    MPI_Gatherv(x, me + 1, MPI_INT, y, n, at, MPI_INT, 0, comm);
    MPI_Scatterv(x, n, at, MPI_INT, y, me + 1, MPI_INT, 0, comm);
    MPI_Allgatherv(x, me + 1, MPI_INT, y, n, at, MPI_INT, comm);
    MPI_Alltoallv(x, one, at, MPI_INT, y, one, at, MPI_INT, comm);
    MPI_Alltoallw(x, one, at, types, y, one, at, types, comm);
    MPI_Reduce_scatter(x, y, n, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(x, y, 2, MPI_INT, MPI_SUM, comm);
    MPI_Iallreduce(x, y, 2, MPI_INT, MPI_SUM, comm, &r);
    x[rank + 4] = size;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* All that go on meanwhile, waited for one by one, together, and in another order. */
static void immediate(int rank, MPI_Comm comm)
{
    static int data[16][64];
    int me, n[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6}, one[4] = {1, 1, 1, 1}, flag = 0, index;
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Request r[8];
    int *x = data[14], *y = data[15];
    MPI_Comm_rank(comm, &me);
    MPI_Ibarrier(comm, r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    MPI_Ibcast(data[0], 3, MPI_INT, 1, comm, r);
    MPI_Ibcast(data[1], 4, MPI_INT, 1, comm, r + 1);
    MPI_Wait(r + 1, MPI_STATUS_IGNORE);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    MPI_Ireduce(x, y, 2, MPI_DOUBLE, MPI_SUM, 1, comm, r);
    MPI_Iscan(x, data[2], 1, MPI_INT, MPI_SUM, comm, r + 1);
    MPI_Iexscan(x, data[3], 1, MPI_INT, MPI_SUM, comm, r + 2);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    MPI_Igather(x, 2, MPI_INT, y, 2, MPI_INT, 0, comm, r);
    while (!flag)
        MPI_Test(r, &flag, MPI_STATUS_IGNORE);
    MPI_Iscatter(x, 2, MPI_INT, y, 2, MPI_INT, 0, comm, r);
    MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
    MPI_Iallgather(x, 2, MPI_INT, y, 2, MPI_INT, comm, r);
    MPI_Ialltoall(x, 2, MPI_INT, data[4], 2, MPI_INT, comm, r + 1);
    MPI_Igatherv(x, me + 1, MPI_INT, data[5], n, at, MPI_INT, 0, comm, r + 2);
    MPI_Iscatterv(x, n, at, MPI_INT, data[6], me + 1, MPI_INT, 0, comm, r + 3);
    MPI_Iallgatherv(x, me + 1, MPI_INT, data[7], n, at, MPI_INT, comm, r + 4);
    MPI_Ialltoallv(x, one, at, MPI_INT, data[8], one, at, MPI_INT, comm, r + 5);
    MPI_Ialltoallw(x, one, at, types, data[9], one, at, types, comm, r + 6);
    MPI_Ireduce_scatter(x, data[10], n, MPI_INT, MPI_SUM, comm, r + 7);
    for (int k = 7; k >= 0; k--)
        MPI_Wait(r + k, MPI_STATUS_IGNORE);
    MPI_Ireduce_scatter_block(x, y, 2, MPI_INT, MPI_SUM, comm, r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Issend(a, 40, MPI_CHAR, 2, 11, MPI_COMM_WORLD, r), MPI_Wait(r, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Recv(b, 40, MPI_CHAR, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half, again;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    persistent((rank + 1) % 4, (rank + 3) % 4, again);
    completions(rank);
    communicators(rank, half, again);
    collectives(rank, MPI_COMM_WORLD);
    collectives(rank, half);
    immediate(rank, MPI_COMM_WORLD);
    immediate(rank, half);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Comm_free(&half);
    MPI_Comm_free(&again);
    MPI_Finalize();
    return 0;
}

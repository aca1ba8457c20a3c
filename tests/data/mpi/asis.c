/* Programs as they are, one per case: what a recorder easily gets wrong. */
#include <mpi.h>
#include <string.h>

enum { COUNT = 100 };
static double out[COUNT], in[COUNT], more[COUNT];
static int rank, size;

/* Of two receives from anybody the later one is complete first; then rank 2 sends once more. */
static void anybody(void)
{
    MPI_Request q[3];
    MPI_Status status;
    int first, flag;
    if (rank == 0) {
        for (int k = 0; k < 3; k++)
            MPI_Irecv(in + k, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, q + (k < 2 ? 1 - k : k));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int k = 0; k < 1000; k++)
            MPI_Iprobe(1, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(q, &status);
        MPI_Send(out, 1, MPI_DOUBLE, 2, 6, MPI_COMM_WORLD);
        MPI_Waitany(2, q + 1, &first, &status);
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        return;
    }
    if (rank == 2)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Recv(in, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &status);
        MPI_Send(out, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    }
}

static void cancelled(void)
{
    MPI_Request q;
    MPI_Recv_init(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q);
    MPI_Start(&q);
    if (rank == 0)
        MPI_Send(out, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        MPI_Start(&q);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Cancel(&q); /* and nobody waits */
}

static void neighbours(void)
{
    int sizes[1] = {size}, periods[1] = {1};
    MPI_Comm ring;
    MPI_Request q;
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
    MPI_Neighbor_alltoall(out, 10, MPI_DOUBLE, in, 10, MPI_DOUBLE, ring);
    MPI_Ineighbor_allgather(out, 10, MPI_DOUBLE, in, 10, MPI_DOUBLE, ring, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void windows(void)
{
    MPI_Win win;
    MPI_Win_create(more, sizeof more, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(out, 10, MPI_DOUBLE, (rank + 1) % size, 0, 10, MPI_DOUBLE, win);
    MPI_Get(in, 20, MPI_DOUBLE, (rank + 1) % size, 0, 20, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void locks(void)
{
    MPI_Win win;
    MPI_Win_create(more, sizeof more, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % size, 0, win);
    MPI_Put(out, 10, MPI_DOUBLE, (rank + 1) % size, 0, 10, MPI_DOUBLE, win);
    MPI_Win_unlock((rank + 1) % size, win);
    MPI_Win_free(&win);
}

static void files(const char *name)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof out, out, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void fourth(void)
{
#if MPI_VERSION >= 4
    MPI_Request q;
    MPI_Comm copy;
    MPI_Allreduce_init(out, in, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    for (int k = 0; k < 2; k++) {
        MPI_Start(&q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&q);
    if (rank == 0)
        MPI_Send_c(out, COUNT, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv_c(in, COUNT, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast_c(in, COUNT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Isendrecv(out, COUNT, MPI_DOUBLE, (rank + 1) % size, 1, in, COUNT, MPI_DOUBLE, (rank + size - 1) % size, 1,
                  MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Allreduce(out, in, COUNT, MPI_DOUBLE, MPI_SUM, copy);
    if (rank < 2) {
        if (rank == 0)
            MPI_Psend_init(out, 2, 50, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
        else
            MPI_Precv_init(in, 2, 50, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
        MPI_Start(&q);
        if (rank == 0) {
            MPI_Pready(1, q);
            MPI_Pready(0, q);
        }
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        MPI_Request_free(&q);
    }
#endif
}

static int session(void)
{
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "x", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
#endif
    return 0;
}

int main(int count, char **words)
{
    const char *what = words[1];
    if (!strcmp(what, "session"))
        return session();
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(what, "anybody"))
        anybody();
    else if (!strcmp(what, "cancelled"))
        cancelled();
    else if (!strcmp(what, "neighbours"))
        neighbours();
    else if (!strcmp(what, "windows"))
        windows();
    else if (!strcmp(what, "locks"))
        locks();
    else if (!strcmp(what, "files"))
        files(words[2]);
    else
        fourth();
    MPI_Finalize();
}

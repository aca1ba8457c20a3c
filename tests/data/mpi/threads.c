/* Threads that call MPI at once: each sends around the ring, with a tag of its own. */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 3, ROUNDS = 10 };

static int rank, size;

static void *around(void *data)
{
    int tag = *(int *)data;
    double out[200] = {0}, in[200];
    for (int k = 0; k < ROUNDS; k++) {
        MPI_Sendrecv(out, 100 + tag, MPI_DOUBLE, (rank + 1) % size, tag, in, 200, MPI_DOUBLE,
                     (rank + size - 1) % size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, 3, MPI_DOUBLE, (rank + 1) % size, 10 + tag, MPI_COMM_WORLD);
        MPI_Recv(in, 200, MPI_DOUBLE, MPI_ANY_SOURCE, 10 + tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int count, char **words)
{
    int level, tags[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < THREADS; k++) {
        tags[k] = k;
        pthread_create(threads + k, NULL, around, tags + k);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    MPI_Finalize();
    return 0;
}

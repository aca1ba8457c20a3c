/* A master hands out tasks of unequal length to whoever is done first: farm TASKS.
   Which worker gets which task differs from run to run; a trace says how it was in that run. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASK = 1, DONE = 2, STOP = 3, WORDS = 512 };

static void master(int tasks, int size)
{
    double task[WORDS] = {0}, result[WORDS], all = 0;
    int given = 0, working = 0;
    MPI_Status from;
    for (int worker = 1; worker < size; worker++) {
        task[0] = given;
        MPI_Send(task, WORDS, MPI_DOUBLE, worker, given < tasks ? TASK : STOP, MPI_COMM_WORLD);
        working += given < tasks;
        given++;
    }
    while (working > 0) {
        MPI_Recv(result, WORDS, MPI_DOUBLE, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, &from);
        all += result[0];
        task[0] = given;
        MPI_Send(task, WORDS, MPI_DOUBLE, from.MPI_SOURCE, given < tasks ? TASK : STOP, MPI_COMM_WORLD);
        working -= given++ >= tasks;
    }
    printf("sum: %g\n", all);
}

static void worker(void)
{
    double task[WORDS];
    MPI_Status from;
    for (;;) {
        MPI_Recv(task, WORDS, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &from);
        if (from.MPI_TAG == STOP)
            return;
        double x = task[0];
        for (int i = 0; i < 20000 * (1 + (int)task[0] % 7); i++)
            x = 0.5 * x + 1;
        task[0] = x;
        MPI_Send(task, WORDS, MPI_DOUBLE, 0, DONE, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        master(argc > 1 ? atoi(argv[1]) : 60, size);
    else
        worker();
    MPI_Finalize();
    return 0;
}

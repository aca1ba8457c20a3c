/* Waiting that gives the core away. A rank that waits inside of MPI looks for messages without end; where there are more
   ranks than cores, it keeps the core from those that it waits for. Here it looks, then lets others run, then sleeps. */
#define _GNU_SOURCE
#include "trace.h"

#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { EAGER = 20, YIELDING = 60, NAP = 20000 };

int apet_patient;

void apet_rest(int tries)
{
    struct timespec nap = {0, NAP};
    apet_turn(0);
    if (tries >= YIELDING)
        nanosleep(&nap, NULL);
    else if (tries >= EAGER)
        sched_yield();
    apet_turn(1);
}

/* The program's own loop around a test: after some looks in vain, others run. */
void apet_looked(int success)
{
    static __thread int tries;
    tries = success ? 0 : tries + 1;
    if (apet_patient)
        apet_rest(tries);
}

#define LOOK(blocking, look, found)                                                                                    \
    if (!apet_patient)                                                                                                 \
        return blocking;                                                                                               \
    for (int tries = 0;; apet_rest(tries++)) {                                                                         \
        int code = look;                                                                                               \
        if (code != MPI_SUCCESS || (found))                                                                            \
            return code;                                                                                               \
    }

int apet_await(MPI_Request *request, MPI_Status *status)
{
    int flag = 0;
    LOOK(PMPI_Wait(request, status), PMPI_Test(request, &flag, status), flag)
}

int apet_await_all(int count, MPI_Request *requests, MPI_Status *statuses)
{
    int code = apet_patient ? MPI_SUCCESS : PMPI_Waitall(count, requests, statuses);
    for (int k = 0; apet_patient && code == MPI_SUCCESS && k < count; k++) /* MPICH 4.0 tests some kinds one by one only */
        code = apet_await(requests + k, statuses + k);
    return code;
}

int apet_await_any(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    int flag = 0;
    LOOK(PMPI_Waitany(count, requests, index, status), PMPI_Testany(count, requests, index, &flag, status), flag)
}

int apet_await_some(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    LOOK(PMPI_Waitsome(count, requests, done, indices, statuses),
         PMPI_Testsome(count, requests, done, indices, statuses), *done != 0)
}

#ifdef MPICH_VERSION
/* What has no form that does not block (making communicators, MPI_Init) looks for messages by this function of UCX, the
   transport of MPICH's usual builds. Open MPI yields by itself. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*look)(void *);
    static __thread int idle;
    if (!look)
        *(void **)&look = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = look(worker);
    idle = events ? 0 : idle + 1;
    if (apet_patient && idle > YIELDING)
        sched_yield();
    return events;
}
#endif

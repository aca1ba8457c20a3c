/* One-sided communication. A trace has messages only, so each pair of ranks exchanges what was put, read or accumulated
   between them in an epoch as one message each way, at the fence that closes the epoch, then all meet as in a barrier.
   With post, start, complete and wait the messages go at complete and wait. What happens under locks goes with the next
   fence, or with the end of the window: it is counted as moved. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 999998, COUNTS = 1 };

struct window {
    MPI_Comm comm;                        /* a copy, for messages of our own */
    const struct apet_group *group;
    int size, rank, locked;
    long long *traffic;                   /* by rank what goes there, and what comes from there: pairs */
    MPI_Group posted, started;
};

static int key = MPI_KEYVAL_INVALID;

static struct window *window_of(MPI_Win win)
{
    struct window *found = NULL;
    int there = 0;
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Win_get_attr(win, key, &found, &there);
    return there ? found : NULL;
}

static void opened(MPI_Win win, MPI_Comm comm)
{
    if (apet_group(comm)->outside) {
        apet_note("windows of processes started at run time");
        return;
    }
    struct window *new = calloc(1, sizeof *new);
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    PMPI_Comm_dup(comm, &new->comm);
    PMPI_Comm_set_errhandler(new->comm, MPI_ERRORS_ARE_FATAL);
    apet_made(new->comm);
    new->group = apet_group(new->comm);
    PMPI_Comm_size(comm, &new->size);
    PMPI_Comm_rank(comm, &new->rank);
    new->traffic = calloc(2 * (size_t)new->size, sizeof *new->traffic);
    new->posted = new->started = MPI_GROUP_NULL;
    PMPI_Win_set_attr(win, key, new);
}

static void moved(MPI_Win win, int rank, long long out, long long in)
{
    struct window *window = window_of(win);
    if (!window || rank == MPI_PROC_NULL || rank == window->rank)
        return;
    if (window->locked)
        apet_note("one-sided transfers under locks, moved to the next fence or the end of their window");
    window->traffic[2 * rank] += out;
    window->traffic[2 * rank + 1] += in;
}

/* What this rank sends to another one, and gets from there. */
static void add(struct apet_request *messages, struct window *window, int rank, long long out, long long in)
{
    if (in)
        apet_add(messages, apet_new(APET_RECEIVES, window->comm, rank, TAG, in, 0));
    if (out)
        apet_add(messages, apet_new(APET_SENDS, window->comm, rank, TAG, out, 0));
}

static void write(struct apet_request *messages)
{
    apet_post(messages);
    apet_all_done(&messages, 1, NULL);
}

static void barrier(const struct window *window)
{
    if (window->size < 2)
        return;
    apet_begin_action("barrier", 0);
    if (window->group->comment)
        apet_text(window->group->comment);
    apet_end();
}

/* All ranks of the window tell each other what went between them, and write it. */
static void all_exchange(struct window *window)
{
    struct apet_request *messages = apet_new(APET_SEVERAL, window->comm, 0, 0, 0, 0);
    long long *theirs = calloc(2 * (size_t)window->size, sizeof *theirs), *own = window->traffic;
    MPI_Request request;
    PMPI_Ialltoall(own, 2, MPI_LONG_LONG, theirs, 2, MPI_LONG_LONG, window->comm, &request);
    apet_await(&request, MPI_STATUS_IGNORE);
    for (int k = 0; k < window->size; k++)
        if (k != window->rank)
            add(messages, window, k, own[2 * k] + theirs[2 * k + 1], own[2 * k + 1] + theirs[2 * k]);
    memset(own, 0, 2 * (size_t)window->size * sizeof *own);
    free(theirs);
    write(messages);
    barrier(window);
}

/* The ranks of a group, as the window counts them; to be freed. */
static int *members(const struct window *window, MPI_Group group, int *count)
{
    MPI_Group all;
    PMPI_Group_size(group, count);
    int *own = malloc(sizeof(int) * (size_t)(2 * *count + 1));
    for (int k = 0; k < *count; k++)
        own[k + *count] = k;
    PMPI_Comm_group(window->comm, &all);
    PMPI_Group_translate_ranks(group, *count, own + *count, all, own);
    PMPI_Group_free(&all);
    return own;
}

/* The end of an access or exposure epoch: origins tell targets what went, both write it. */
static void some_exchange(struct window *window, MPI_Group *group, int origin)
{
    if (*group == MPI_GROUP_NULL)
        return;
    struct apet_request *messages = apet_new(APET_SEVERAL, window->comm, 0, 0, 0, 0);
    int count = 0, *ranks = members(window, *group, &count);
    for (int k = 0; k < count; k++) {
        long long *own = window->traffic + 2 * ranks[k], theirs[2] = {0, 0};
        MPI_Request request;
        if (ranks[k] == window->rank)
            continue;
        if (origin) {
            PMPI_Isend(own, 2, MPI_LONG_LONG, ranks[k], COUNTS, window->comm, &request);
            apet_await(&request, MPI_STATUS_IGNORE);
            add(messages, window, ranks[k], own[0], own[1]);
            own[0] = own[1] = 0;
        } else {
            PMPI_Irecv(theirs, 2, MPI_LONG_LONG, ranks[k], COUNTS, window->comm, &request);
            apet_await(&request, MPI_STATUS_IGNORE);
            add(messages, window, ranks[k], theirs[1], theirs[0]);
        }
    }
    free(ranks);
    PMPI_Group_free(group);
    write(messages);
}

static void exposed(struct window *window, int over)
{
    if (over)
        some_exchange(window, &window->posted, 0);
    apet_looked(over);
}

#define OPENING(name, parameters, arguments)                                                                           \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        int code = PMPI_##name arguments;                                                                              \
        if (first && code == MPI_SUCCESS)                                                                              \
            opened(*win, comm);                                                                                        \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

OPENING(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
        (base, size, unit, info, comm, win))
OPENING(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
        (size, unit, info, comm, base, win))
OPENING(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    int first = apet_enter();
    int code = PMPI_Win_allocate_shared(size, unit, info, comm, base, win);
    if (first && code == MPI_SUCCESS) {
        opened(*win, comm);
        apet_note("windows of shared memory, whose loads and stores are not seen");
    }
    apet_leave();
    return code;
}

int MPI_Win_free(MPI_Win *win)
{
    struct window *window = apet_enter() ? window_of(*win) : NULL;
    int code = PMPI_Win_free(win);
    if (window) {
        all_exchange(window);
        PMPI_Comm_free(&window->comm);
        free(window->traffic);
    }
    apet_leave();
    return code;
}

#define ON_WINDOW(name, parameters, arguments, then)                                                                   \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        struct window *window = apet_enter() ? window_of(win) : NULL;                                                  \
        int code = PMPI_##name arguments;                                                                              \
        if (window)                                                                                                    \
            then;                                                                                                      \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

ON_WINDOW(Win_fence, (int assert, MPI_Win win), (assert, win), all_exchange(window))
ON_WINDOW(Win_post, (MPI_Group group, int assert, MPI_Win win), (group, assert, win),
          PMPI_Group_union(group, MPI_GROUP_EMPTY, &window->posted))
ON_WINDOW(Win_start, (MPI_Group group, int assert, MPI_Win win), (group, assert, win),
          PMPI_Group_union(group, MPI_GROUP_EMPTY, &window->started))
ON_WINDOW(Win_complete, (MPI_Win win), (win), some_exchange(window, &window->started, 1))
ON_WINDOW(Win_wait, (MPI_Win win), (win), some_exchange(window, &window->posted, 0))
ON_WINDOW(Win_test, (MPI_Win win, int *flag), (win, flag), exposed(window, *flag))
ON_WINDOW(Win_lock, (int type, int rank, int assert, MPI_Win win), (type, rank, assert, win), window->locked++)
ON_WINDOW(Win_lock_all, (int assert, MPI_Win win), (assert, win), window->locked++)
ON_WINDOW(Win_unlock, (int rank, MPI_Win win), (rank, win), window->locked--)
ON_WINDOW(Win_unlock_all, (MPI_Win win), (win), window->locked--)
ON_WINDOW(Win_flush, (int rank, MPI_Win win), (rank, win), )
ON_WINDOW(Win_flush_all, (MPI_Win win), (win), )

#define TRANSFER(call, real, parameters, arguments, out, in)                                                           \
    int call parameters                                                                                                \
    {                                                                                                                  \
        if (apet_enter())                                                                                              \
            moved(win, rank, out, in);                                                                                 \
        int code = real arguments;                                                                                     \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

TRANSFER(MPI_Fetch_and_op, PMPI_Fetch_and_op,
         (const void *from, void *result, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op, MPI_Win win),
         (from, result, type, rank, at, op, win), apet_bytes(1, type), apet_bytes(1, type))
TRANSFER(MPI_Compare_and_swap, PMPI_Compare_and_swap,
         (const void *from, const void *compared, void *result, MPI_Datatype type, int rank, MPI_Aint at, MPI_Win win),
         (from, compared, result, type, rank, at, win), 2 * apet_bytes(1, type), apet_bytes(1, type))

#include "narrow.h"
#include "onesided_calls.h"
#if MPI_VERSION >= 4
#include "wide.h"
#include "onesided_calls.h"
#endif

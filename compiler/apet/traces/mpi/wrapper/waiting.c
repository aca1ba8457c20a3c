/* Completion of requests. What any, some and test found is written as waits for just these: it is known now. */
#include "trace.h"

#include <stdlib.h>

static MPI_Status *apet_statuses(int count)
{
    static __thread MPI_Status *some;
    static __thread int capacity;
    if (count >= capacity) { /* of none, too: one that is empty is filled in */
        capacity = count + 64;
        some = realloc(some, sizeof *some * (size_t)capacity);
    }
    return some;
}

static struct apet_request **apet_list(const MPI_Request *requests, int count)
{
    static __thread struct apet_request **found;
    static __thread int capacity;
    if (count > capacity) {
        capacity = count + 64;
        found = realloc(found, sizeof *found * (size_t)capacity);
    }
    for (int k = 0; k < count; k++)
        found[k] = apet_find(requests + k);
    return found;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    int code = apet_await(request, seen);
    if (known)
        apet_done(known, seen, 0);
    apet_leave();
    return code;
}

/* A request that stands twice in a list, as libraries do for sends that are complete at once, is meant twice. */
static struct apet_request **distinct(const MPI_Request *requests, int count)
{
    struct apet_request **known = apet_list(requests, count);
    for (int k = 0; k < count; k++)
        if (known[k])
            known[k]->count_of_key = 0;
    for (int k = 0; k < count; k++) {
        struct apet_request *each = known[k];
        while (each && each->count_of_key) {
            uint64_t handle = each->handle;
            do
                each = each->next;
            while (each && each->handle != handle);
        }
        known[k] = each;
        if (each)
            each->count_of_key = 1;
    }
    return known;
}

/* One of several forms of completion: by its name, its parameters, how it is called, what then holds, and what is done. */
#define COMPLETING(name, call, looks, holds, complete, statuses, ...)                                                  \
    int name(int count, MPI_Request requests[], __VA_ARGS__)                                                           \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        struct apet_request **known = first ? distinct(requests, count) : NULL;                                        \
        MPI_Status *seen = statuses == MPI_STATUSES_IGNORE || statuses == MPI_STATUS_IGNORE ? apet_statuses(count)     \
                                                                                            : statuses;                \
        int code = call;                                                                                               \
        looks;                                                                                                         \
        if (first && code == MPI_SUCCESS && (holds))                                                                   \
            complete;                                                                                                  \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

static void one_done(struct apet_request **known, int index, const MPI_Status *status)
{
    if (index != MPI_UNDEFINED && known[index])
        apet_done(known[index], status, 0);
}

static void some_ended(struct apet_request **known, int count, const int *indices, const MPI_Status *statuses)
{
    for (int k = 0; count != MPI_UNDEFINED && k < count; k++)
        one_done(known, indices[k], statuses + k);
}

COMPLETING(MPI_Waitall, apet_await_all(count, requests, seen), , 1, apet_all_done(known, count, seen), statuses,
           MPI_Status statuses[])
COMPLETING(MPI_Waitany, apet_await_any(count, requests, index, seen), , 1, one_done(known, *index, seen), status,
           int *index, MPI_Status *status)
COMPLETING(MPI_Waitsome, apet_await_some(count, requests, done, indices, seen), , 1,
           some_ended(known, *done, indices, seen), statuses, int *done, int indices[], MPI_Status statuses[])
COMPLETING(MPI_Testall, PMPI_Testall(count, requests, flag, seen), apet_looked(*flag), *flag,
           apet_all_done(known, count, seen), statuses, int *flag, MPI_Status statuses[])
COMPLETING(MPI_Testany, PMPI_Testany(count, requests, index, flag, seen), apet_looked(*flag), *flag,
           one_done(known, *index, seen), status, int *index, int *flag, MPI_Status *status)
COMPLETING(MPI_Testsome, PMPI_Testsome(count, requests, done, indices, seen), apet_looked(*done != 0), 1,
           some_ended(known, *done, indices, seen), statuses, int *done, int indices[], MPI_Status statuses[])

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    int code = PMPI_Test(request, flag, seen);
    apet_looked(*flag);
    if (known && *flag)
        apet_done(known, seen, 0);
    apet_leave();
    return code;
}

/* A cancelled request need not be waited for: whether it was in time is asked when it is freed, or at the end. */
int MPI_Cancel(MPI_Request *request)
{
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    if (known)
        known->cancelling = 1;
    int code = PMPI_Cancel(request);
    apet_leave();
    return code;
}

int MPI_Request_free(MPI_Request *request)
{
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    int code = MPI_SUCCESS, flag = 0;
    MPI_Status status;
    if (known && known->cancelling && known->active) {
        struct apet_request *rest = known->persistent ? known : NULL;
        code = PMPI_Request_get_status(*request, &flag, &status);
        if (flag) {
            apet_done(known, &status, 0);
            known = rest;
        }
    }
    if (known)
        apet_lose(known);
    code = PMPI_Request_free(request);
    apet_leave();
    return code;
}

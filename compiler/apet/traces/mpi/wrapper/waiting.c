/* Completion of requests. What any, some and test found is written as waits for just these: it is known now. */
#include "trace.h"

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    int code = PMPI_Wait(request, seen);
    if (known)
        apet_done(known, seen, 0);
    apet_leave();
    return code;
}

/* All of some requests are complete: one line if these are all that are outstanding. */
static void all_done(struct apet_request **known, int count, const MPI_Status *statuses)
{
    int messages = 0;
    for (int k = 0; k < count; k++)
        messages += known[k] && known[k]->active;
    int together = messages > 1 && messages == apet_outstanding();
    if (together) {
        apet_begin_action("waitall", 0);
        apet_number(messages);
        apet_end();
    }
    for (int k = 0; k < count; k++)
        if (known[k])
            apet_done(known[k], statuses + k, together);
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

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? apet_statuses(count) : statuses;
    int first = apet_enter();
    struct apet_request **known = first ? distinct(requests, count) : NULL;
    int code = PMPI_Waitall(count, requests, seen);
    if (first && code == MPI_SUCCESS)
        all_done(known, count, seen);
    apet_leave();
    return code;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    int first = apet_enter();
    struct apet_request **known = first ? distinct(requests, count) : NULL;
    int code = PMPI_Waitany(count, requests, index, seen);
    if (first && *index != MPI_UNDEFINED && known[*index])
        apet_done(known[*index], seen, 0);
    apet_leave();
    return code;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? apet_statuses(count) : statuses;
    int first = apet_enter();
    struct apet_request **known = first ? distinct(requests, count) : NULL;
    int code = PMPI_Waitsome(count, requests, done, indices, seen);
    for (int k = 0; first && *done != MPI_UNDEFINED && k < *done; k++)
        if (known[indices[k]])
            apet_done(known[indices[k]], seen + k, 0);
    apet_leave();
    return code;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    int code = PMPI_Test(request, flag, seen);
    if (known && *flag)
        apet_done(known, seen, 0);
    apet_leave();
    return code;
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? apet_statuses(count) : statuses;
    int first = apet_enter();
    struct apet_request **known = first ? distinct(requests, count) : NULL;
    int code = PMPI_Testall(count, requests, flag, seen);
    if (first && *flag)
        all_done(known, count, seen);
    apet_leave();
    return code;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    int first = apet_enter();
    struct apet_request **known = first ? distinct(requests, count) : NULL;
    int code = PMPI_Testany(count, requests, index, flag, seen);
    if (first && *flag && *index != MPI_UNDEFINED && known[*index])
        apet_done(known[*index], seen, 0);
    apet_leave();
    return code;
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? apet_statuses(count) : statuses;
    int first = apet_enter();
    struct apet_request **known = first ? distinct(requests, count) : NULL;
    int code = PMPI_Testsome(count, requests, done, indices, seen);
    for (int k = 0; first && *done != MPI_UNDEFINED && k < *done; k++)
        if (known[indices[k]])
            apet_done(known[indices[k]], seen + k, 0);
    apet_leave();
    return code;
}

int MPI_Request_free(MPI_Request *request)
{
    struct apet_request *known = apet_enter() ? apet_find(request) : NULL;
    if (known)
        apet_lose(known);
    int code = PMPI_Request_free(request);
    apet_leave();
    return code;
}

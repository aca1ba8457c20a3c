/* Requests that are not complete, by their handle. A library may give equal handles to sends that are complete at once:
   then the address of the variable decides, and the age. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14, KEYS = 1 << 12, ANYBODY = -333 };

static struct apet_request *buckets[BUCKETS], *oldest, *newest;
static int outstanding, lost, of_key[KEYS];

static uint64_t handle_of(const MPI_Request *request)
{
    uint64_t handle = 0;
    memcpy(&handle, request, sizeof *request);
    return handle;
}

static unsigned bucket_of(uint64_t handle)
{
    return (unsigned)((handle * 0x9E3779B97F4A7C15ULL) >> 50) % BUCKETS;
}

static int *key_of(const struct apet_request *request)
{
    unsigned mixed = (unsigned)request->peer * 2654435761u ^ (unsigned)request->tag * 40503u ^ (unsigned)request->kind;
    return of_key + mixed % KEYS;
}

struct apet_request *apet_keep(MPI_Request *request, enum apet_kind kind, MPI_Comm comm, int peer, int tag,
                               long long bytes, int persistent)
{
    struct apet_request *kept = calloc(1, sizeof *kept);
    kept->handle = handle_of(request);
    kept->address = request;
    kept->kind = kind;
    kept->comm = comm;
    kept->group = comm == MPI_COMM_NULL ? NULL : apet_group(comm);
    kept->peer = peer;
    kept->tag = tag;
    kept->bytes = bytes;
    kept->persistent = persistent;
    kept->line = kept->source_hole = kept->tag_hole = -1;
    struct apet_request **last = &buckets[bucket_of(kept->handle)];
    while (*last)
        last = &(*last)->next;
    *last = kept;
    return kept;
}

struct apet_request *apet_find(const MPI_Request *request)
{
    uint64_t handle = handle_of(request);
    struct apet_request *first = NULL;
    if (*request == MPI_REQUEST_NULL)
        return NULL;
    for (struct apet_request *each = buckets[bucket_of(handle)]; each; each = each->next)
        if (each->handle == handle) {
            if (each->address == request)
                return each;
            if (!first)
                first = each;
        }
    return first;
}

int apet_is_wild(const struct apet_request *request)
{
    return request->kind == APET_RECEIVES && (request->peer == MPI_ANY_SOURCE || request->tag == MPI_ANY_TAG);
}

/* A number that is known, or the place for one. */
static long number_or_hole(int wild, int value)
{
    if (wild)
        return apet_hole();
    apet_number(value);
    return -1;
}

static void activate(struct apet_request *request)
{
    request->active = 1;
    request->older = newest;
    request->newer = NULL;
    if (newest)
        newest->newer = request;
    else
        oldest = request;
    newest = request;
    outstanding++;
    ++*key_of(request);
}

void apet_begun(MPI_Request *request, int kind)
{
    activate(apet_keep(request, APET_COLLECTIVE, MPI_COMM_NULL, 0, kind, 0, 0));
}

static const char *posted_as(const struct apet_request *request)
{
    if (request->kind == APET_RECEIVES)
        return "irecv";
    return request->synchronous ? "ISsend" : "isend";
}

/* Write that the message is posted, and note the request as outstanding. */
void apet_post(struct apet_request *request)
{
    const struct apet_group *group = request->group;
    int any = request->peer == MPI_ANY_SOURCE, any_tag = request->tag == MPI_ANY_TAG;
    apet_begin_action(posted_as(request), &request->line);
    request->source_hole = number_or_hole(any, any ? 0 : apet_peer(group, request->peer));
    request->tag_hole = number_or_hole(any_tag, any_tag ? 0 : apet_tag(group, request->tag));
    apet_number(request->bytes);
    apet_text(" 6");
    apet_end();
    activate(request);
}

static void unlink_active(struct apet_request *request)
{
    if (!request->active)
        return;
    request->active = 0;
    outstanding--;
    --*key_of(request);
    if (request->older)
        request->older->newer = request->newer;
    else
        oldest = request->newer;
    if (request->newer)
        request->newer->older = request->older;
    else
        newest = request->older;
}

/* How many outstanding requests of the same source, target and tag are older. */
static int skipped(const struct apet_request *request)
{
    int count = 0;
    if (*key_of(request) < 2)
        return 0;
    for (struct apet_request *each = oldest; each != request; each = each->newer)
        count += each->kind == request->kind && each->peer == request->peer && each->tag == request->tag &&
                 each->group == request->group;
    return count;
}

static void write_wait(const struct apet_request *request, int from, int to, int tag)
{
    int skips = skipped(request);
    apet_begin_action("wait", 0);
    apet_number(from), apet_number(to), apet_number(tag);
    if (skips) {
        apet_text(" # request");
        apet_number(skips);
    }
    apet_end();
}

void apet_done(struct apet_request *request, const MPI_Status *status, int silent)
{
    int cancelled = 0;
    if (!request->active)
        return;
    if (request->kind == APET_COLLECTIVE) {
        if (!silent)
            write_wait(request, ANYBODY, ANYBODY, request->tag);
        apet_drop(request);
        return;
    }
    if (request->kind == APET_RECEIVES)
        PMPI_Test_cancelled(status, &cancelled);
    if (cancelled || (apet_is_wild(request) && status->MPI_SOURCE < 0)) {
        apet_strike(request->line);
    } else {
        int peer = request->peer == MPI_ANY_SOURCE ? status->MPI_SOURCE : request->peer;
        int tag = request->tag == MPI_ANY_TAG ? status->MPI_TAG : request->tag;
        if (request->source_hole >= 0)
            apet_fill(request->source_hole, apet_peer(request->group, peer));
        if (request->tag_hole >= 0)
            apet_fill(request->tag_hole, apet_tag(request->group, tag));
        int other = apet_peer(request->group, peer), sends = request->kind == APET_SENDS;
        if (!silent)
            write_wait(request, sends ? apet_rank : other, sends ? other : apet_rank, apet_tag(request->group, tag));
    }
    unlink_active(request);
    if (!request->persistent)
        apet_drop(request);
}

void apet_drop(struct apet_request *request)
{
    struct apet_request **at = &buckets[bucket_of(request->handle)];
    unlink_active(request);
    while (*at && *at != request)
        at = &(*at)->next;
    if (*at)
        *at = request->next;
    free(request);
}

int apet_outstanding(void)
{
    return outstanding + lost;
}

void apet_lose(struct apet_request *request)
{
    lost += request->active; /* nobody will wait for it, but a replay has it still */
    apet_drop(request);
}

MPI_Status *apet_statuses(int count)
{
    static MPI_Status *some;
    static int capacity;
    if (count > capacity) {
        capacity = count + 64;
        some = realloc(some, sizeof *some * (size_t)capacity);
    }
    return some;
}

struct apet_request **apet_list(const MPI_Request *requests, int count)
{
    static struct apet_request **found;
    static int capacity;
    if (count > capacity) {
        capacity = count + 64;
        found = realloc(found, sizeof *found * (size_t)capacity);
    }
    for (int k = 0; k < count; k++)
        found[k] = apet_find(requests + k);
    return found;
}

/* Requests that are not complete, by their handle. A library may give equal handles to sends that are complete at once:
   then the address of the variable decides, and the age. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14, KEYS = 1 << 12, ANYBODY = -333 };

static struct apet_request *buckets[BUCKETS], *oldest, *newest;
static int outstanding, lost, wild, of_key[KEYS];

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

struct apet_request *apet_new(enum apet_kind kind, MPI_Comm comm, int peer, int tag, long long bytes, int persistent)
{
    struct apet_request *kept = calloc(1, sizeof *kept);
    kept->kind = kind;
    kept->group = comm == MPI_COMM_NULL ? NULL : apet_group(comm);
    kept->peer = peer;
    kept->tag = tag;
    kept->bytes = bytes;
    kept->persistent = persistent;
    kept->line = kept->source_hole = kept->tag_hole = -1;
    return kept;
}

void apet_name(struct apet_request *kept, MPI_Request *request)
{
    kept->handle = handle_of(request);
    kept->address = request;
    struct apet_request **last = &buckets[bucket_of(kept->handle)];
    while (*last)
        last = &(*last)->next;
    *last = kept;
}

struct apet_request *apet_keep(MPI_Request *request, enum apet_kind kind, MPI_Comm comm, int peer, int tag,
                               long long bytes, int persistent)
{
    struct apet_request *kept = apet_new(kind, comm, peer, tag, bytes, persistent);
    apet_name(kept, request);
    return kept;
}

void apet_add(struct apet_request *several, struct apet_request *part)
{
    several->parts = realloc(several->parts, sizeof *several->parts * (size_t)(several->number + 1));
    several->parts[several->number++] = part;
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
    outstanding += request->kind < APET_SEVERAL;
    wild += apet_is_wild(request);
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
    for (int k = 0; k < request->number; k++)
        apet_post(request->parts[k]);
    if (request->text) {
        apet_compute();
        apet_text(request->text);
        apet_site_of_line();
    }
    if (request->text || request->kind >= APET_SEVERAL) {
        activate(request);
        return;
    }
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
    outstanding -= request->kind < APET_SEVERAL;
    wild -= apet_is_wild(request);
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

static void write_wait(const struct apet_request *request, int from, int to, int shown, int peer, int tag)
{
    apet_begin_action("wait", 0);
    apet_number(from), apet_number(to), apet_number(shown);
    if (*key_of(request) > 1 || wild)
        apet_skip(request, oldest, peer, tag);
    apet_end();
}

/* A message is complete, or was cancelled in time: then its line becomes a comment. */
static void message_done(struct apet_request *request, const MPI_Status *status, int silent)
{
    int cancelled = 0, peer = request->peer, tag = request->tag;
    if (request->cancelling)
        PMPI_Test_cancelled(status, &cancelled);
    if (cancelled || (apet_is_wild(request) && status->MPI_SOURCE < 0)) {
        apet_strike(request->line);
        apet_tell(request, -1, -1);
        return;
    }
    if (apet_is_wild(request)) {
        peer = peer == MPI_ANY_SOURCE ? status->MPI_SOURCE : peer;
        tag = tag == MPI_ANY_TAG ? status->MPI_TAG : tag;
        apet_tell(request, peer, tag);
    }
    int other = apet_peer(request->group, peer), shown = apet_tag(request->group, tag);
    int sends = request->kind == APET_SENDS;
    if (request->source_hole >= 0)
        apet_fill(request->source_hole, other);
    if (request->tag_hole >= 0)
        apet_fill(request->tag_hole, shown);
    if (!silent)
        write_wait(request, sends ? apet_rank : other, sends ? other : apet_rank, shown, peer, tag);
}

void apet_done(struct apet_request *request, const MPI_Status *status, int silent)
{
    if (!request->active)
        return;
    if (request->kind == APET_COLLECTIVE && !silent)
        write_wait(request, ANYBODY, ANYBODY, request->tag, 0, request->tag);
    if (request->kind < APET_COLLECTIVE)
        message_done(request, status, silent);
    if (request->kind == APET_COPIES) {
        apet_await(&request->agreed, MPI_STATUS_IGNORE);
        apet_copied(*request->copy, request->id);
    }
    for (int k = 0; k < request->number; k++) {
        apet_done(request->parts[k], status, silent);
        request->parts[k] = request->persistent ? request->parts[k] : NULL;
    }
    unlink_active(request);
    if (!request->persistent)
        apet_drop(request);
}

static int weight(const struct apet_request *request)
{
    int sum = request->kind < APET_SEVERAL;
    for (int k = 0; k < request->number; k++)
        sum += weight(request->parts[k]);
    return sum;
}

/* All of some requests are complete: one line if these are all that are outstanding. */
void apet_all_done(struct apet_request **known, int count, const MPI_Status *statuses)
{
    int messages = 0;
    for (int k = 0; k < count; k++)
        messages += known[k] && known[k]->active ? weight(known[k]) : 0;
    int together = messages > 1 && messages == apet_outstanding();
    if (together) {
        apet_begin_action("waitall", 0);
        apet_number(messages);
        apet_end();
    }
    for (int k = 0; k < count; k++)
        if (known[k])
            apet_done(known[k], statuses ? statuses + k : NULL, together);
}

void apet_drop(struct apet_request *request)
{
    struct apet_request **at = &buckets[bucket_of(request->handle)];
    unlink_active(request);
    apet_tell(request, -1, -1);
    for (int k = 0; k < request->number; k++)
        if (request->parts[k])
            apet_drop(request->parts[k]);
    while (*at && *at != request)
        at = &(*at)->next;
    if (*at)
        *at = request->next;
    free(request->parts);
    free(request->text);
    free(request);
}

int apet_outstanding(void)
{
    return outstanding + lost;
}

void apet_lose(struct apet_request *request)
{
    lost += request->active ? weight(request) : 0; /* nobody will wait for it, but a replay has it still */
    apet_drop(request);
}

void apet_settle(void)
{
    for (struct apet_request *each = oldest, *next; each; each = next) {
        MPI_Request handle;
        MPI_Status status;
        int flag = 0;
        next = each->newer;
        if (!each->cancelling)
            continue;
        memcpy(&handle, &each->handle, sizeof handle);
        PMPI_Request_get_status(handle, &flag, &status);
        if (flag)
            apet_done(each, &status, 0);
    }
}

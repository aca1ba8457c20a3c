/* Which of several requests alike a wait is for: how many older ones it passes over. */
#include "trace.h"

#include <stdlib.h>

/* A wait for one of several alike: where its number goes, and what is counted so far. */
struct apet_skips {
    long hole;
    int count, peer, tag, holders;
};

static int alike(const struct apet_request *each, const struct apet_request *request, int peer, int tag)
{
    return each->kind == request->kind && each->group == request->group && (each->peer == peer || each->peer < 0) &&
           (each->tag == tag || (each->kind == APET_RECEIVES && each->tag < 0));
}

/* How many outstanding requests of the same source, target and tag are older. A receive from anybody counts as soon as
   its source is known. */
void apet_skip(const struct apet_request *request, struct apet_request *oldest, int peer, int tag)
{
    struct apet_skips *skips = NULL;
    int count = 0;
    for (struct apet_request *each = oldest; each && each != request; each = each->newer) {
        if (!alike(each, request, peer, tag))
            continue;
        if (!apet_is_wild(each)) {
            count++;
            continue;
        }
        if (!skips) {
            skips = calloc(1, sizeof *skips);
            *skips = (struct apet_skips){-1, 0, peer, tag, 0};
        }
        if ((each->waiting & (each->waiting + 1)) == 0)
            each->waits = realloc(each->waits, sizeof *each->waits * (size_t)(2 * each->waiting + 2));
        each->waits[each->waiting++] = skips;
        skips->holders++;
    }
    if (!skips && !count)
        return;
    apet_text(" # request");
    if (!skips) {
        apet_number(count);
        return;
    }
    skips->hole = apet_hole();
    skips->count = count;
    apet_fill(skips->hole, count);
}

/* A receive from anybody has its source, or never will have one (below 0). */
void apet_tell(struct apet_request *request, int peer, int tag)
{
    for (int k = 0; k < request->waiting; k++) {
        struct apet_skips *skips = request->waits[k];
        if (skips->peer == peer && skips->tag == tag)
            apet_fill(skips->hole, ++skips->count);
        if (--skips->holders == 0)
            free(skips);
    }
    free(request->waits);
    request->waits = NULL;
    request->waiting = 0;
}

/* Receives from any source or with any tag: which messages they get. */

#include "reading.h"

static int fits(const Wild *wild, const Channel *c) {
    return c->first != NONE && (wild->source == ANY_SOURCE || wild->source == c->source) &&
           (wild->tag == ANY_TAG || wild->tag == c->tag);
}

/* The channel that a receive takes from, of those with its target, chained by `next`: of the sender that receives like
 * it have taken least from, and of its messages the first. NONE: there is nothing left. */
static int chosen(const Lowering *l, const Wild *wild, int head, const int *next, const i64 *taken) {
    int best = NONE;
    for (int k = head; k != NONE; k = next[k]) {
        const Channel *c = &l->channels[k], *other = &l->channels[best == NONE ? k : best];
        if (!fits(wild, c)) continue;
        i64 here = taken[c->source], there = taken[other->source];
        if (best == NONE || here < there || (here == there && c->source < other->source) ||
            (c->source == other->source && c->first < other->first))
            best = k;
    }
    return best;
}

/* By message the one that is received instead; NONE: itself. */
static void match(State *s, Lowering *l, int *instead, int *heads, int *next, i64 *taken) {
    for (i64 r = 0; r < s->t.ranks; r++) heads[r] = NONE;
    for (int k = 0; k < l->channel_count; k++) {
        const Channel *c = &l->channels[k];
        if (!c->used || c->first == NONE || !c->sends || c->tag < 0) continue;
        next[k] = heads[c->target];
        heads[c->target] = k;
    }

    for (i64 m = 0; m < s->message_count; m++) instead[m] = NONE;
    for (i64 w = 0; w < l->wilds; w++) {
        const Wild *wild = &l->wild[w];
        int head = heads[wild->target], best = chosen(l, wild, head, next, taken);
        if (best != NONE) {
            Channel *c = &l->channels[best];
            taken[c->source]++;
            instead[wild->message] = c->first;
            c->first = s->messages[c->first].next;
        }
        if (w + 1 < l->wilds && l->wild[w + 1].target == wild->target) continue;
        for (int k = head; k != NONE; k = next[k]) taken[l->channels[k].source] = 0;
    }
}

/* Gives receives from any source or with any tag, in order, the sends that nobody else takes, from each sender in turn;
 * after the last line. Those that get nothing are left. 0, or 1 if memory ran out. */
i64 apet_match(State *s) {
    Lowering *l = s->lowering;
    if (!l->wilds || s->failed) return s->failed;
    int *instead = zeroed(&s->failed, s->message_count, sizeof(int)), *heads = zeroed(&s->failed, s->t.ranks, sizeof(int));
    int *next = zeroed(&s->failed, l->channel_count, sizeof(int));
    i64 *taken = zeroed(&s->failed, s->t.ranks, sizeof(i64)), left = 0;

    if (!s->failed) {
        match(s, l, instead, heads, next, taken);
        for (i64 r = 0; r < s->t.ranks; r++)
            for (i64 k = 0; k < s->queues[r].length; k++) {
                i64 *operation = &s->queues[r].items[k], code = *operation & MASK;
                if ((code == RECEIVE || code == RECEIVED || code == TAKE) && instead[*operation >> SHIFT] != NONE)
                    *operation = (i64)instead[*operation >> SHIFT] << SHIFT | code;
            }
        for (i64 k = 0; k < l->request_message.number; k++) {
            i64 *message = &l->request_message.items[k];
            if (instead[*message] != NONE) *message = instead[*message];
        }
        for (i64 w = 0; w < l->wilds; w++)
            if (instead[l->wild[w].message] == NONE) l->wild[left++] = l->wild[w];
        l->wilds = left;
    }

    void *all[] = {instead, heads, next, taken};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
    return s->failed;
}

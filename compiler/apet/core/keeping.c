/* Lines that are read to check them, or to keep their flat programs as a whole. */

#include "reading.h"

/* What lines are read for; before the first of them. */
void apet_mode(State *s, i64 mode) { s->lowering->mode = (int)mode; }

/* The number of the last action of which reading was begun, and whether its bytes are beyond the limit. */
i64 apet_last_action(const State *s, i64 *exceeded) {
    *exceeded = s->lowering->exceeded;
    return s->lowering->at;
}

/* Messages of which only one side is posted. `rows`, unless NULL: for each its number, whether it is a send, its source,
 * target and tag; the sources and tags of receives from any are below 0. */
i64 apet_unmatched(const State *s, i64 *rows) {
    const Lowering *l = s->lowering;
    i64 number = 0;
    for (int k = 0; k < l->channel_count; k++) {
        const Channel *c = &l->channels[k];
        if (!c->used) continue;
        for (int m = c->first; m != NONE; m = s->messages[m].next) {
            if (rows) memcpy(rows + 5 * number, (i64[]){m, c->sends, c->source, c->target, c->tag}, 5 * sizeof(i64));
            number++;
        }
    }
    for (i64 w = 0; w < l->wilds; w++, number++) {
        const Wild *wild = &l->wild[w];
        if (rows) memcpy(rows + 5 * number, (i64[]){wild->message, 0, ANY_SOURCE, wild->target, wild->tag}, 5 * sizeof(i64));
    }

    return number;
}

/* Collectives in which sizes differ, requests that no action waits for, messages with one side; communicators. */
void apet_totals(const State *s, i64 *counts) {
    const Lowering *l = s->lowering;
    memcpy(counts, (i64[]){l->unequal, l->unfinished.number, apet_unmatched(s, NULL), l->communicators}, 4 * sizeof(i64));
}

/* By rank. */
void apet_flops(const State *s, double *flops) {
    for (i64 r = 0; r < s->t.ranks; r++) flops[r] = s->lowering->ranks[r].flops + s->lowering->ranks[r].lost;
}

/* How much is kept: values; collectives that synchronise all ranks, -1 where theirs differ; rows of unfinished requests;
 * groups of requests to wait for some of, requests in them, messages in those; by rank the operations. */
void apet_kept(const State *s, i64 *counts) {
    const Lowering *l = s->lowering;
    i64 syncs = s->t.ranks ? l->ranks[0].syncs : -1;
    for (i64 r = 1; r < s->t.ranks; r++)
        if (l->ranks[r].syncs != syncs || l->ranks[r].synced != l->ranks[0].synced) syncs = -1;
    i64 own[] = {s->value_count, syncs, l->unfinished.number / 3, l->needed.number, l->request_ends.number,
                 l->request_message.number};
    memcpy(counts, own, sizeof(own));
    counts += sizeof(own) / sizeof(own[0]);
    for (i64 r = 0; r < s->t.ranks; r++) counts[r] = s->queues[r].length;
}

static void copy(i64 *into, const Numbers *numbers) {
    if (numbers->number) memcpy(into, numbers->items, (size_t)numbers->number * sizeof(i64));
}

/* Hands over groups: by group how many requests are needed, and the end of its requests; by request the end of its
 * messages; messages. And, as rows, the requests that no action waits for. */
void apet_take_requests(const State *s, i64 *needed, i64 *ends, i64 *request_ends, i64 *messages, i64 *unfinished) {
    const Lowering *l = s->lowering;
    copy(needed, &l->needed);
    copy(ends, &l->group_ends);
    copy(request_ends, &l->request_ends);
    copy(messages, &l->request_message);
    copy(unfinished, &l->unfinished);
}

/* Hands over the tags of messages, where these were UNROLLING. */
void apet_take_tags(const State *s, i64 *tags) { copy(tags, &s->lowering->tags); }

/* Hands the operations of a rank over, and the actions they come from; they are not kept any longer. */
void apet_take(State *s, i64 rank, i64 *operations, int *origins) {
    Queue *q = &s->queues[rank];
    Reading *r = &s->lowering->ranks[rank];
    if (!q->length) return;
    memcpy(operations, q->items, (size_t)q->length * sizeof(i64));
    memcpy(origins, r->origins, (size_t)q->length * sizeof(int));
    free(q->items);
    free(r->origins);
    q->items = NULL;
    r->origins = NULL;
    q->length = q->room = r->origin_room = 0;
}

/* Hands over values; by message its pair, its size, whether it begins when it is sent, and what its receiver needs. */
void apet_take_messages(const State *s, double *values, i64 *pair, i64 *size, unsigned char *early, double *take) {
    if (s->value_count) memcpy(values, s->values, (size_t)s->value_count * sizeof(double));
    for (i64 m = 0; m < s->message_count; m++) {
        pair[m] = s->messages[m].pair;
        size[m] = s->messages[m].size;
        early[m] = s->messages[m].early;
        take[m] = take_of(s, m);
    }
}

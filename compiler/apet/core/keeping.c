/* Lines that are read to check them, or to keep their flat programs as a whole. */

#include "reading.h"

/* What lines are read for; before the first of them. */
void apet_mode(State *s, i64 mode) { s->lowering->mode = (int)mode; }

/* Messages of which only one side is posted. `rows`, unless NULL: for each its number, whether it is a send, its source,
 * target and tag. */
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
    return number;
}

/* Collectives in which sizes differ, requests that no action waits for, messages with one side; communicators. */
void apet_totals(const State *s, i64 *counts) {
    const Lowering *l = s->lowering;
    memcpy(counts, (i64[]){l->unequal, l->unfinished, apet_unmatched(s, NULL), l->communicators}, 4 * sizeof(i64));
}

/* By rank. */
void apet_flops(const State *s, double *flops) {
    for (i64 r = 0; r < s->t.ranks; r++) flops[r] = s->lowering->ranks[r].flops + s->lowering->ranks[r].lost;
}

/* How much is kept: values, collectives that synchronise all ranks; by rank the operations, then the actions. */
void apet_kept(const State *s, i64 *counts) {
    *counts++ = s->value_count;
    *counts++ = s->lowering->ranks[0].syncs;
    for (i64 r = 0; r < s->t.ranks; r++) {
        counts[r] = s->queues[r].length;
        counts[s->t.ranks + r] = s->lowering->ranks[r].actions;
    }
}

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

/* Hands over values, and the pair and the size of messages. */
void apet_take_messages(const State *s, double *values, i64 *pair, i64 *size) {
    if (s->value_count) memcpy(values, s->values, (size_t)s->value_count * sizeof(double));
    for (i64 m = 0; m < s->message_count; m++) {
        pair[m] = s->messages[m].pair;
        size[m] = s->messages[m].size;
    }
}

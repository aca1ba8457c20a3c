/* The replay of traces: of text as it is read, or of flat programs.
 *
 * Everything comes in and goes out by arrays of the caller. The caller feeds text, gives paths for new pairs of ranks,
 * and runs; where a rank has no further operations, the run stops until more text has come or the rank is complete. */

#include "reading.h"

void apet_free(State *s) {
    if (!s) return;
    if (s->crowds)
        for (i64 k = 0; k < s->t.links; k++) free(s->crowds[k].users);
    if (s->running)
        for (i64 h = 0; h < s->t.hosts; h++) free(s->running[h]);
    if (s->gathered)
        for (i64 r = 0; r < s->t.ranks; r++) free(s->gathered[r]);
    if (s->queues && s->recycles)
        for (i64 r = 0; r < s->t.ranks; r++) free(s->queues[r].items);
    if (s->recycles) free(s->values);
    Lowering *l = s->lowering;
    if (l) {
        if (l->ranks)
            for (i64 r = 0; r < s->t.ranks; r++) free(l->ranks[r].origins);
        void *read[] = {l->channels, l->table, l->pair_table, l->ranks, l->requests, l->group, l->sizes, l->named,
                        l->agreed, l->groups, l->nodes, l->wild, l->unfinished.items, l->tags.items, l->needed.items,
                        l->group_ends.items, l->request_ends.items, l->request_message.items};
        for (size_t k = 0; k < sizeof(read) / sizeof(read[0]); k++) free(read[k]);
    }

    void *all[] = {s->date, s->heap, s->where, s->flows, s->rate, s->level, s->settled, s->stamped, s->fixed, s->at_link,
                   s->spare, s->links, s->crowds, s->entered, s->changed, s->component, s->around, s->tied,
                   s->paths, s->uses, s->forward, s->messages, s->queues, s->spare_value, l, s->waits_for, s->state,
                   s->awake, s->began, s->work, s->work_rate, s->work_since, s->running, s->busy, s->segments,
                   s->gathered, s->gathers, s};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
}

static void reading(State *s) {
    Lowering *l = s->lowering = zeroed(&s->failed, 1, sizeof(Lowering));
    s->recycles = 1;
    if (s->failed) return;
    l->spare_channel = l->spare_node = NONE;
    l->ranks = zeroed(&s->failed, s->t.ranks, sizeof(Reading));
    l->group = zeroed(&s->failed, s->t.ranks, sizeof(int));
    l->named = zeroed(&s->failed, s->t.ranks, sizeof(i64));
    l->sizes = zeroed(&s->failed, 2 * s->t.ranks, sizeof(i64));
    if (s->failed) return;
    for (i64 r = 0; r < s->t.ranks; r++) l->ranks[r] = (Reading){.first = NONE, .last = NONE, .element = 1};
    rehash(s, l);
}

/* A replay before its beginning, or NULL if memory ran out; `programs` NULL: operations come as text. */
State *apet_new(const Setting *setting, const Programs *programs) {
    State *s = calloc(1, sizeof(State));
    if (!s) return NULL;
    s->t = *setting;
    s->floor = INFINITY;
    s->spare_message = NONE;
    i64 ranks = s->t.ranks;
    s->links = zeroed(&s->failed, s->t.links, sizeof(Link));
    s->changed = zeroed(&s->failed, s->t.links, sizeof(int));
    s->around = zeroed(&s->failed, s->t.links, sizeof(int));
    s->crowds = zeroed(&s->failed, s->t.links, sizeof(Crowd));
    s->waits_for = zeroed(&s->failed, ranks, sizeof(i64));
    s->state = zeroed(&s->failed, ranks, sizeof(int));
    s->awake = zeroed(&s->failed, ranks + 1, sizeof(int));
    s->began = zeroed(&s->failed, ranks, sizeof(double));
    s->work = zeroed(&s->failed, ranks, sizeof(double));
    s->work_rate = zeroed(&s->failed, ranks, sizeof(double));
    s->work_since = zeroed(&s->failed, ranks, sizeof(double));
    s->running = zeroed(&s->failed, s->t.hosts, sizeof(int *));
    s->busy = zeroed(&s->failed, s->t.hosts, sizeof(i64));
    s->queues = zeroed(&s->failed, ranks, sizeof(Queue));
    s->gathered = zeroed(&s->failed, ranks, sizeof(i64 *));
    s->gathers = zeroed(&s->failed, ranks, sizeof(i64));
    i64 *number = zeroed(&s->failed, s->t.hosts, sizeof(i64));
    if (!s->failed) {
        for (i64 r = 0; r < ranks; r++) number[s->t.place[r]]++;
        for (i64 h = 0; h < s->t.hosts; h++) s->running[h] = zeroed(&s->failed, number[h], sizeof(int));
        for (i64 k = 0; k < s->t.links; k++) {
            s->links[k].capacity = s->t.capacity[k];
            s->links[k].shared = s->t.shared[k] != 0;
            s->crowds[k].never = 1;
            s->crowds[k].least = INFINITY;
        }
    }

    free(number);
    if (!s->failed && !more_flows(s))
        for (int r = 0; r < ranks; r++) {
            s->where[r] = -1;
            wake(s, r);
        }
    if (!s->failed && !programs) reading(s);
    if (!s->failed && programs) {
        s->programs = programs;
        s->values = (double *)programs->values;
        s->messages = zeroed(&s->failed, programs->messages, sizeof(Message));
        for (i64 r = 0; r < ranks; r++)
            s->queues[r] = (Queue){(i64 *)programs->operations[r], 0, programs->lengths[r], programs->lengths[r], 1};
        for (i64 m = 0; m < programs->messages && !s->failed; m++)
            s->messages[m] = (Message){.size = programs->size[m], .pair = (int)programs->pair[m],
                                       .early = programs->early && programs->early[m]};
    }

    if (!s->failed) return s;
    apet_free(s);
    return NULL;
}

int read_line(State *s, const char *at, const char *end) {
    Line line;
    int kind = split_line(at, end, &line);
    if (kind != PLAIN) return kind;
    if (line.rank >= s->t.ranks || s->queues[line.rank].complete) return UNUSUAL;
    Act a = {.s = s, .l = s->lowering, .rank = line.rank, .group_size = s->t.ranks, .own = line.rank, .rest = line.words,
             .root = NONE, .size = NONE};
    a.l->at = a.l->ranks[a.rank].actions;
    a.l->ranks[a.rank].lines++;
    if (annotation(&a, line.comment)) return UNUSUAL;
    words_after(&a);
    a.rest = line.words;
    return act(&a, line.name, line.length) || a.l->exceeded ? UNUSUAL : PLAIN;
}

/* How many operations ranks have not come to. */
static void count_held(State *s) {
    s->t.counts[HELD] = 0;
    for (i64 r = 0; r < s->t.ranks; r++) s->t.counts[HELD] += s->queues[r].length - s->t.stands[r];
}

/* Reads whole lines, of which the last may lack its end; -1 if memory ran out, -2 where one is not plain. */
i64 apet_feed(State *s, const char *text, i64 length) {
    const char *at = text, *end = text + length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (read_line(s, at, stop) == UNUSUAL) return -2;
        if (s->failed) return -1;
        at = stop + 1;
    }

    count_held(s);
    return 0;
}

/* A rank has no further lines. */
void apet_complete(State *s, i64 rank) {
    Queue *q = &s->queues[rank];
    if (q->complete) return;
    Lowering *l = s->lowering;
    l->at = l->ranks[rank].actions;
    note_unfinished(s, l, rank);
    wait_for_all(s, l, rank);
    q->complete = 1;
}

/* 0: over; 1: memory ran out; 2: a rank needs more lines, as the setting's counts say. */
i64 apet_run(State *s) { return s->failed ? FAILED : run(s); }

/* Whether all ranks have lines, and the same collectives of all, and, where operations are kept, wait for their
 * non-blocking ones. */
i64 apet_agree(const State *s) {
    if (s->lowering->differ || (s->lowering->mode >= KEEPING && s->lowering->left)) return 0;
    for (i64 r = 0; r < s->t.ranks; r++) {
        const Reading *reading = &s->lowering->ranks[r];
        if (!reading->lines || reading->collectives != s->lowering->ranks[0].collectives) return 0;
    }
    return 1;
}

/* Whether all ranks came to their end. */
i64 apet_arrived(const State *s) {
    for (i64 r = 0; r < s->t.ranks; r++)
        if (s->t.stands[r] <= s->queues[r].length) return 0;
    return 1;
}

void apet_segments(const State *s, i64 *rank, i64 *computes, i64 *operation, double *begin, double *end) {
    for (i64 k = 0; k < s->t.counts[SEGMENTS]; k++) {
        rank[k] = s->segments[k].rank;
        computes[k] = s->segments[k].computes;
        operation[k] = s->segments[k].operation;
        begin[k] = s->segments[k].begin;
        end[k] = s->segments[k].end;
    }
}

/* Events in one heap: at most one per rank (end of a computation or a sleep) and one per flow (begin or end). */

#ifndef APET_EVENTS_H
#define APET_EVENTS_H

#include "replay.h"

static inline void up(State *s, i64 k) {
    int id = s->heap[k];
    double d = s->date[id];

    while (k > 0) {
        i64 parent = (k - 1) >> 1;
        int other = s->heap[parent];
        if (s->date[other] <= d) break;
        s->heap[k] = other;
        s->where[other] = (int)k;
        k = parent;
    }

    s->heap[k] = id;
    s->where[id] = (int)k;
}

static inline void down(State *s, i64 k) {
    int id = s->heap[k];
    double d = s->date[id];

    for (;;) {
        i64 child = 2 * k + 1;
        if (child >= s->heaped) break;
        if (child + 1 < s->heaped && s->date[s->heap[child + 1]] < s->date[s->heap[child]]) child++;
        int other = s->heap[child];
        if (s->date[other] >= d) break;
        s->heap[k] = other;
        s->where[other] = (int)k;
        k = child;
    }

    s->heap[k] = id;
    s->where[id] = (int)k;
}

static inline void schedule(State *s, int id, double date) {
    int k = s->where[id];
    if (k < 0) {
        s->date[id] = date;
        s->heap[s->heaped] = id;
        s->where[id] = (int)s->heaped;
        up(s, s->heaped++);
        return;
    }

    double before = s->date[id];
    s->date[id] = date;
    if (date < before) up(s, k);
    else if (date > before) down(s, k);
}

static inline int pop(State *s) {
    int id = s->heap[0];
    s->where[id] = -1;
    if (--s->heaped > 0) {
        s->heap[0] = s->heap[s->heaped];
        s->where[s->heap[0]] = 0;
        down(s, 0);
    }
    return id;
}

#endif

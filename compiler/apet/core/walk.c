/* What a walk through programs holds. */

#include "walk.h"

int walk_begin(Walk *w, const Programs *task) {
    *w = (Walk){.task = task};
    w->sides = zeroed(&w->failed, task->messages, 1);
    w->waiting = zeroed(&w->failed, task->ranks, 1);
    w->at = zeroed(&w->failed, task->ranks, sizeof(i64));
    w->stack = zeroed(&w->failed, task->ranks + 1, sizeof(i64));
    w->waits_for = zeroed(&w->failed, task->ranks, sizeof(i64));
    if (!w->failed)
        for (i64 k = task->ranks; k-- > 0;) w->stack[w->height++] = k;
    return w->failed;
}

void walk_end(Walk *w) {
    free(w->sides);
    free(w->waiting);
    free(w->at);
    free(w->stack);
    free(w->waits_for);
}

void count_waits(const Programs *t, int *waits) {
    for (i64 r = 0; r < t->ranks; r++)
        for (i64 k = 0; k < t->lengths[r]; k++) {
            i64 operation = t->operations[r][k], what = operation >> SHIFT;
            if ((operation & MASK) == SENT || (operation & MASK) == RECEIVED) waits[what]++;
            if ((operation & MASK) != ANY) continue;
            i64 last = t->request_first[t->group_first[what + 1]];
            for (i64 j = t->request_first[t->group_first[what]]; j < last; j++) waits[t->request_message[j]]++;
        }
}

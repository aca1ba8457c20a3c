/* The one way through all ranks' programs: a wait goes on when both sides of its message have been posted. What is done
 * on the way is a visitor's: it is known where a walk begins, so that the compiler makes one loop of both. */

#ifndef APET_WALK_H
#define APET_WALK_H

#include "core.h"

/* The first member of what a visitor works on, which is what it gets. */
typedef struct {
    const Programs *task;
    unsigned char *sides, *waiting; /* by message: sides posted; by rank */
    i64 *at, *stack, *waits_for;    /* by rank: its operation; those that can go on; the message that it waits for */
    i64 height, first;              /* the stack is a ring for those who take ranks in turn: `first` moves */
    int failed;                     /* memory ran out: the walk ends */
} Walk;

/* `side`: 0 at the source, 1 at the target. What is NULL is passed over. */
typedef struct {
    void (*post)(Walk *w, i64 rank, i64 message, int side); /* before it counts: the other side may be posted or not */
    void (*wait)(Walk *w, i64 rank, i64 message, int side); /* when both are */
    void (*compute)(Walk *w, i64 rank, double flops);
    void (*sleep)(Walk *w, i64 rank, double seconds);
    int (*choose)(Walk *w, i64 rank, i64 group);            /* whether the rank may go on */
    void (*enter)(Walk *w, i64 rank, i64 sync);
    void (*leave)(Walk *w, i64 rank, i64 sync);
    void (*expect)(Walk *w, i64 rank);                      /* a receive of what begins when it is sent */
    int late;                                               /* receivers take at most what they may need, not at least */
} Visitor;

/* 1 if memory ran out; to be ended in any case. */
int walk_begin(Walk *w, const Programs *task);
void walk_end(Walk *w);

/* How many waits there are for each message. */
void count_waits(const Programs *t, int *waits);

static inline void walk_wake(Walk *w, i64 rank, i64 message) {
    if (w->waiting[rank] == CHOOSING || (w->waiting[rank] == WAITING && w->waits_for[rank] == message)) {
        w->waiting[rank] = READY;
        w->stack[(w->first + w->height++) % (w->task->ranks + 1)] = rank;
    }
}

/* A side is posted; with the second, ranks may go on. */
static inline void walk_post(Walk *w, i64 message) {
    const Programs *t = w->task;
    if (++w->sides[message] < 2) return;
    i64 source = t->source[t->pair[message]], target = t->target[t->pair[message]];
    walk_wake(w, source, message);
    if (target != source) walk_wake(w, target, message);
}

/* A transfer that begins when it is sent: as if its sender posted both sides. */
static inline void walk_early(Walk *w, i64 rank, i64 message, int code, const Visitor *v) {
    if (code == RECEIVE) {
        if (v->expect) v->expect(w, rank);
        return;
    }
    if (v->post) v->post(w, rank, message, 0);
    w->sides[message] = 1;
    if (v->post) v->post(w, rank, message, 0);
    walk_post(w, message);
}

/* Before waits for several messages, and behind them: what their receiver needs in all. It takes them as they end, and
 * needs that much after it begins to wait, and after the last one has ended at least what that needs. */
static inline double walk_takes(const Programs *t, i64 rank, i64 at) {
    i64 operation = t->operations[rank][at], number = operation >> SHIFT;
    const i64 *waits = t->operations[rank] + ((operation & MASK) == TAKES ? at + 1 : at - number);
    double all = 0, least = INFINITY;
    for (i64 k = 0; k < number; k++) {
        double each = (waits[k] & MASK) == RECEIVED ? t->take[waits[k] >> SHIFT] : 0;
        all += each;
        if (each < least) least = each;
    }
    return (operation & MASK) == TAKES ? all - least : least;
}

static inline void walk_take(Walk *w, i64 rank, const Visitor *v) {
    const Programs *t = w->task;
    i64 at = w->at[rank], operation = t->operations[rank][at];
    int before = (operation & MASK) == TAKES;
    double seconds = walk_takes(t, rank, at);
    if (v->late && before) return;
    if (v->late) seconds += walk_takes(t, rank, at - (operation >> SHIFT) - 1);
    if (seconds > 0) v->sleep(w, rank, seconds);
}

/* Takes a rank on to where it waits, or to its end. */
static inline __attribute__((always_inline)) void walk_rank(Walk *w, i64 rank, const Visitor *v) {
    const Programs *t = w->task;
    i64 *at = &w->at[rank];

    for (; *at < t->lengths[rank] && !w->failed; ++*at) {
        i64 operation = t->operations[rank][*at], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
        case RECEIVE:
            if (t->early && t->early[what]) {
                walk_early(w, rank, what, operation & MASK, v);
                break;
            }
            if (v->post) v->post(w, rank, what, (operation & MASK) == RECEIVE);
            walk_post(w, what);
            break;
        case SENT:
        case RECEIVED:
            if (w->sides[what] < 2) {
                w->waiting[rank] = WAITING;
                w->waits_for[rank] = what;
                return;
            }
            if (v->wait) v->wait(w, rank, what, (operation & MASK) == RECEIVED);
            break;
        case COMPUTE:
            if (v->compute) v->compute(w, rank, t->values[what]);
            break;
        case SLEEP:
            if (v->sleep) v->sleep(w, rank, t->values[what]);
            break;
        case ANY:
            if (v->choose && !v->choose(w, rank, what)) {
                w->waiting[rank] = CHOOSING;
                return;
            }
            break;
        case ENTER:
            if (v->enter) v->enter(w, rank, what);
            break;
        case LEAVE:
            if (v->leave) v->leave(w, rank, what);
            break;
        case TAKE:
            if (v->sleep && t->take[what] > 0) v->sleep(w, rank, t->take[what]);
            break;
        case TAKES:
        case TAKEN:
            if (v->sleep) walk_take(w, rank, v);
            break;
        }
    }
}

/* The rank that can go on since the shortest time goes on first. 1 if memory ran out. */
static inline __attribute__((always_inline)) int walk_all(Walk *w, const Visitor *v) {
    while (w->height > 0 && !w->failed) walk_rank(w, w->stack[--w->height], v);
    return w->failed;
}

/* The one that can go on since the longest time goes on first. */
static inline __attribute__((always_inline)) int walk_in_turn(Walk *w, const Visitor *v) {
    for (i64 k = 0; !w->failed && k < w->task->ranks; k++) w->stack[k] = k;
    while (w->height > 0 && !w->failed) {
        i64 rank = w->stack[w->first];
        w->first = (w->first + 1) % (w->task->ranks + 1);
        w->height--;
        walk_rank(w, rank, v);
    }
    return w->failed;
}

/* Waits for some of several. */

static inline i64 requests_of(const Programs *t, i64 group) { return t->group_first[group + 1] - t->group_first[group]; }

static inline i64 needed_of(const Programs *t, i64 group) {
    i64 number = requests_of(t, group);
    return t->group_needed[group] < number ? t->group_needed[group] : number;
}

/* Whether all messages of a request are posted by both. */
static inline int walk_posted(const Walk *w, i64 request) {
    const Programs *t = w->task;
    for (i64 k = t->request_first[request]; k < t->request_first[request + 1]; k++)
        if (w->sides[t->request_message[k]] < 2) return 0;
    return 1;
}

/* How many requests of a group are posted by both. */
static inline i64 walk_known(const Walk *w, i64 group) {
    i64 known = 0;
    for (i64 k = w->task->group_first[group]; k < w->task->group_first[group + 1]; k++) known += walk_posted(w, k);
    return known;
}

/* The message of a request that ends last. */
static inline i64 last_of(const Programs *t, i64 request, const double *ended) {
    i64 last = t->request_message[t->request_first[request]];
    for (i64 k = t->request_first[request]; k < t->request_first[request + 1]; k++)
        if (ended[t->request_message[k]] > ended[last]) last = t->request_message[k];
    return last;
}

/* The message with which the n-th of a group's requests is done, of those posted by both; -1: there are fewer. */
static inline i64 walk_nth(const Walk *w, i64 group, i64 n, const double *ended) {
    const Programs *t = w->task;
    for (i64 k = t->group_first[group]; k < t->group_first[group + 1]; k++) {
        if (!walk_posted(w, k)) continue;
        i64 message = last_of(t, k, ended), before = 0;
        for (i64 j = t->group_first[group]; j < t->group_first[group + 1]; j++) {
            if (!walk_posted(w, j)) continue;
            double date = ended[last_of(t, j, ended)];
            before += date < ended[message] || (date == ended[message] && j < k);
        }
        if (before == n - 1) return message;
    }

    return NONE;
}

#endif

/* What is known of other ranks when a message begins. */

#include "walk.h"

typedef struct { i64 link; double latency, work; } Work;

typedef struct {
    int *seen;
    double *since; /* by rank: seconds since that stage of it began, at least */
    int stage, moved;
    double clock, begun;
    Work *work;
    i64 works, room;
} Clock;

typedef struct {
    Walk walk;
    const Known *k;
    Clock *clocks; /* by rank */
} Clocks;

/* Take over what was known when a stage began, where it is later; `more` seconds lie between. */
static void learn_stage(const Clocks *c, Clock *own, i64 stage, double more) {
    i64 ranks = c->walk.task->ranks;
    const int *others = c->k->seen + stage * ranks;
    const float *since = c->k->since + stage * ranks;

    for (i64 r = 0; r < ranks; r++) {
        double seconds = since[r] + more;
        if (others[r] > own->seen[r] || (others[r] == own->seen[r] && seconds > own->since[r])) {
            own->seen[r] = others[r];
            own->since[r] = seconds;
        }
    }
}

/* Rounded down: less lies between for sure. */
static inline float at_least(double seconds) {
    float rounded = (float)seconds;
    return rounded > seconds ? nextafterf(rounded, -INFINITY) : rounded;
}

static void new_stage(Clocks *c, i64 rank) {
    i64 ranks = c->walk.task->ranks;
    Clock *own = &c->clocks[rank];

    if (!own->moved) return;
    if (own->stage >= c->k->first[rank]) {
        if (own->seen[rank] == own->stage && own->begun + own->since[rank] > own->clock) own->clock = own->begun + own->since[rank];
        learn_stage(c, own, own->stage, own->clock - own->begun);
    }
    own->stage++;
    own->begun = own->clock;
    own->moved = 0;
    own->works = 0;
    own->seen[rank] = own->stage;
    own->since[rank] = 0;
    c->k->begun[own->stage] = own->begun;
    memcpy(c->k->seen + own->stage * ranks, own->seen, (size_t)ranks * sizeof(int));
    for (i64 r = 0; r < ranks; r++) c->k->since[own->stage * ranks + r] = at_least(own->since[r]);
}

static void clock_post(Walk *w, i64 rank, i64 m, int side) {
    Clocks *c = (Clocks *)w;
    new_stage(c, rank);
    c->k->stage[2 * m + side] = c->clocks[rank].stage;
}

/* The transfer needs not wait for it: its receiver knows nothing of when it began. */
static void clock_expect(Walk *w, i64 rank) { new_stage((Clocks *)w, rank); }

/* A message posted at this stage has ended, and so have others that its links carried. */
static void took(Clocks *c, Clock *own, i64 m) {
    const Known *k = c->k;
    i64 pair = c->walk.task->pair[m];

    if (own->begun + k->least[m] > own->clock) own->clock = own->begun + k->least[m];
    for (i64 i = k->own_first[pair]; i < k->own_first[pair + 1]; i++) {
        i64 at = 0;
        while (at < own->works && own->work[at].link != k->own_link[i]) at++;
        if (at == own->works) {
            if (!grow((void **)&own->work, own->works, &own->room, sizeof(Work))) {
                c->walk.failed = 1;
                return;
            }
            own->work[own->works++] = (Work){k->own_link[i], INFINITY, 0};
        }
        Work *work = &own->work[at];
        double more = k->volume[m] * k->own_each[i] - k->moment;
        if (k->latency[m] < work->latency) work->latency = k->latency[m];
        if (more > 0) work->work += more;
        double end = own->begun + work->latency + work->work - k->moment;
        if (end > own->clock) own->clock = end;
    }
}

static void clock_wait(Walk *w, i64 rank, i64 m, int side) {
    Clocks *c = (Clocks *)w;
    const Programs *t = w->task;
    Clock *own = &c->clocks[rank];
    c->k->ended[2 * m + side] = own->stage + 1;
    if (c->k->stage[2 * m + side] >= 0 && c->k->stage[2 * m + side] == own->stage && (side || t->source[t->pair[m]] != t->target[t->pair[m]])) took(c, own, m);
    for (int k = 0; k < 2; k++)
        if (c->k->stage[2 * m + k] >= 0) learn_stage(c, own, c->k->stage[2 * m + k], c->k->least[m]);
    own->moved = 1;
}

static void clock_sleep(Walk *w, i64 rank, double seconds) {
    Clock *own = &((Clocks *)w)->clocks[rank];
    seconds -= ((Clocks *)w)->k->moment;
    own->moved = 1;
    if (seconds <= 0) return;
    own->clock += seconds;
    for (i64 r = 0; r < w->task->ranks; r++) own->since[r] += seconds;
}

static void clock_compute(Walk *w, i64 rank, double flops) { clock_sleep(w, rank, flops * ((Clocks *)w)->k->flop[rank]); }

static const Visitor CLOCKS = {.post = clock_post, .expect = clock_expect, .wait = clock_wait, .compute = clock_compute, .sleep = clock_sleep};

static int clock_begin(Clock *own, i64 ranks, i64 first) {
    *own = (Clock){.stage = (int)first - 1, .moved = 1};
    own->seen = malloc((size_t)ranks * sizeof(int));
    own->since = malloc((size_t)ranks * sizeof(double));
    if (!own->seen || !own->since) return 1;
    for (i64 r = 0; r < ranks; r++) {
        own->seen[r] = -1;
        own->since[r] = -INFINITY;
    }

    return 0;
}

/* Fills the arrays of `known`, of which those by message hold what nothing is known by (-1; the greatest stage). 1 if
 * memory ran out. */
i64 apet_clocks(const Programs *task, const Known *known) {
    Clocks c = {.k = known};
    walk_begin(&c.walk, task);
    c.clocks = zeroed(&c.walk.failed, task->ranks, sizeof(Clock));
    for (i64 r = 0; r < task->ranks && !c.walk.failed; r++)
        c.walk.failed = clock_begin(&c.clocks[r], task->ranks, known->first[r]);
    walk_all(&c.walk, &CLOCKS);
    walk_end(&c.walk);
    for (i64 r = 0; c.clocks && r < task->ranks; r++) {
        free(c.clocks[r].seen);
        free(c.clocks[r].since);
        free(c.clocks[r].work);
    }

    free(c.clocks);
    return c.walk.failed;
}

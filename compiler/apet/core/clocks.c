/* What is known of other ranks when a message begins. */

#include "walk.h"

typedef struct { i64 link; double latency, work; } Work;

typedef struct {
    int *seen;
    double *since;
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

/* Take over what is later; `more` seconds lie between. */
static void learn(i64 ranks, int *seen, double *since, const int *others, const double *at, double more) {
    for (i64 r = 0; r < ranks; r++) {
        double date = at[r] + more;
        if (others[r] > seen[r] || (others[r] == seen[r] && date > since[r])) {
            seen[r] = others[r];
            since[r] = date;
        }
    }
}

/* What a rank knew when a stage began. */
static void learn_stage(const Clocks *c, Clock *own, i64 stage, double more) {
    i64 ranks = c->walk.task->ranks;
    learn(ranks, own->seen, own->since, c->k->seen + stage * ranks, c->k->since + stage * ranks, more);
}

static void new_stage(Clocks *c, i64 rank) {
    i64 ranks = c->walk.task->ranks;
    Clock *own = &c->clocks[rank];

    if (!own->moved) return;
    if (own->stage >= c->k->first[rank]) {
        if (own->seen[rank] == own->stage && own->since[rank] > own->clock) own->clock = own->since[rank];
        learn_stage(c, own, own->stage, own->clock - own->begun);
    }
    own->stage++;
    own->begun = own->clock;
    own->moved = 0;
    own->works = 0;
    own->seen[rank] = own->stage;
    own->since[rank] = own->clock;
    memcpy(c->k->seen + own->stage * ranks, own->seen, (size_t)ranks * sizeof(int));
    memcpy(c->k->since + own->stage * ranks, own->since, (size_t)ranks * sizeof(double));
}

static void clock_post(Walk *w, i64 rank, i64 m, int side) {
    Clocks *c = (Clocks *)w;
    new_stage(c, rank);
    c->k->stage[2 * m + side] = c->clocks[rank].stage;
    c->k->clock[2 * m + side] = c->clocks[rank].clock;
}

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
    if (c->k->stage[2 * m + side] == own->stage && (side || t->source[t->pair[m]] != t->target[t->pair[m]])) took(c, own, m);
    for (int k = 0; k < 2; k++) learn_stage(c, own, c->k->stage[2 * m + k], c->k->least[m]);
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

static const Visitor CLOCKS = {.post = clock_post, .wait = clock_wait, .compute = clock_compute, .sleep = clock_sleep};

static int clock_begin(Clock *own, i64 ranks, i64 first, double unknown) {
    *own = (Clock){.stage = (int)first - 1, .moved = 1};
    own->seen = malloc((size_t)ranks * sizeof(int));
    own->since = malloc((size_t)ranks * sizeof(double));
    if (!own->seen || !own->since) return 1;
    for (i64 r = 0; r < ranks; r++) {
        own->seen[r] = -1;
        own->since[r] = unknown;
    }

    return 0;
}

/* Fills the arrays of `known`, which hold what nothing is known by (-1; `unknown`; the greatest stage). 1 if memory ran
 * out. */
i64 apet_clocks(const Programs *task, const Known *known, double unknown) {
    Clocks c = {.k = known};
    walk_begin(&c.walk, task);
    c.clocks = zeroed(&c.walk.failed, task->ranks, sizeof(Clock));
    for (i64 r = 0; r < task->ranks && !c.walk.failed; r++)
        c.walk.failed = clock_begin(&c.clocks[r], task->ranks, known->first[r], unknown);
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

/* Longest paths whose dates are linear in three factors: of seconds per flop, of latency, of seconds per byte. Several
 * sets of factors are followed at once. A message's dates are kept from its first post to its last wait, so that what is
 * kept stays small. */

#include "walk.h"

enum { LANES = 8 };

/* One number for each set of factors. */
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(16)));
typedef i64 Mask __attribute__((vector_size(LANES * sizeof(i64)), aligned(16)));

typedef struct { Lanes value, part[4]; } Dates; /* constant, compute, latency, bandwidth */

typedef struct {
    Walk walk;
    const double *duration; /* by message: latency and bandwidth, then the greater of two further such terms */
    const double *slowness, *gap;
    Lanes factor[3];
    i64 syncs;
    int early;
    Dates *now;             /* by rank */
    Dates *dates;           /* of messages and of collectives that synchronise, by slot */
    int *spare;
    i64 room, used, spares;
    int *slot, *waits;      /* by message; the waits that are still to come */
    int *mark;              /* by collective: its slot */
    i64 *uses, *entered;    /* by collective: how often its dates are still needed; the ranks that have entered */
    Dates *done;            /* of the requests of a group */
    i64 done_room;
} Paths;

static void choose_lanes(Dates *date, const Dates *other, const Mask *mask) {
    date->value = (Lanes)((*mask & (Mask)other->value) | (~*mask & (Mask)date->value));
    for (int k = 0; k < 4; k++)
        date->part[k] = (Lanes)((*mask & (Mask)other->part[k]) | (~*mask & (Mask)date->part[k]));
}

static void later(Dates *date, const Dates *other) {
    Mask mask = (Mask)(other->value > date->value);
    i64 any = 0, all = -1;
    for (int w = 0; w < LANES; w++) {
        any |= mask[w];
        all &= mask[w];
    }
    if (all) *date = *other;
    else if (any) choose_lanes(date, other, &mask);
}

static void lengthen(const Paths *p, Dates *date, int part, double by) {
    date->part[part] += by;
    if (part) date->value += by * p->factor[part - 1];
    else date->value += by;
}

/* By the greater of a latency and a bandwidth term. */
static void lengthen_by_greater(const Paths *p, Dates *date, double latency, double bandwidth) {
    Lanes first = latency * p->factor[1], second = bandwidth * p->factor[2], none = {0};
    Mask narrow = (Mask)(first > second);
    date->part[2] += (Lanes)(narrow & (Mask)(none + latency));
    date->part[3] += (Lanes)(~narrow & (Mask)(none + bandwidth));
    date->value += (Lanes)((narrow & (Mask)first) | (~narrow & (Mask)second));
}

/* A slot for dates; 0 if memory ran out. */
static int hold(Paths *p, const Dates *dates) {
    int k = 0;
    if (p->spares) {
        k = p->spare[--p->spares];
    } else {
        i64 room = p->room;
        if (!grow((void **)&p->dates, p->used, &room, sizeof(Dates)) || !grow((void **)&p->spare, p->used, &p->room, sizeof(int))) {
            p->walk.failed = 1;
            return 0;
        }
        k = (int)p->used++;
    }

    p->dates[k] = *dates;
    return k;
}

static void waited(Paths *p, i64 message) {
    if (--p->waits[message] > 0 || p->walk.sides[message] < 2) return;
    p->spare[p->spares++] = p->slot[message];
}

static void path_post(Walk *w, i64 rank, i64 m, int side) {
    Paths *p = (Paths *)w;
    (void)side;
    if (!w->sides[m]) {
        p->slot[m] = hold(p, &p->now[rank]);
        return;
    }

    const double *d = p->duration + 4 * m;
    Dates *end = &p->dates[p->slot[m]];
    later(end, &p->now[rank]);
    lengthen(p, end, 2, d[0]);
    lengthen(p, end, 3, d[1]);
    lengthen_by_greater(p, end, d[2], d[3]);
    if (!p->waits[m]) p->spare[p->spares++] = p->slot[m];
}

static void path_wait(Walk *w, i64 rank, i64 m, int side) {
    Paths *p = (Paths *)w;
    (void)side;
    later(&p->now[rank], &p->dates[p->slot[m]]);
    waited(p, m);
}

static void path_compute(Walk *w, i64 rank, double flops) {
    Paths *p = (Paths *)w;
    lengthen(p, &p->now[rank], 1, flops * p->slowness[rank]);
}

static void path_sleep(Walk *w, i64 rank, double seconds) {
    Paths *p = (Paths *)w;
    lengthen(p, &p->now[rank], 0, seconds);
}

/* The dates of a group's requests of which all messages are posted by both; how many. 0 if memory ran out. */
static i64 requests_done(Paths *p, i64 group) {
    const Programs *t = p->walk.task;
    i64 number = 0;

    for (i64 k = t->group_first[group]; k < t->group_first[group + 1]; k++) {
        if (!walk_posted(&p->walk, k)) continue;
        if (!grow((void **)&p->done, number, &p->done_room, sizeof(Dates))) {
            p->walk.failed = 1;
            return 0;
        }
        const i64 *message = t->request_message + t->request_first[k], *end = t->request_message + t->request_first[k + 1];
        p->done[number] = p->dates[p->slot[*message]];
        while (++message < end) later(&p->done[number], &p->dates[p->slot[*message]]);
        number++;
    }

    return number;
}

/* In each lane the date of one of some requests that `before` others do not exceed. */
static void nth(Paths *p, i64 rank, i64 number, i64 before) {
    for (i64 k = 0; k < number; k++) {
        const Dates *mine = &p->done[k];
        Mask earlier = {0};
        for (i64 j = 0; j < number; j++) {
            const Dates *other = &p->done[j];
            earlier -= (Mask)(j < k ? other->value <= mine->value : other->value < mine->value);
        }
        Mask chosen = (Mask)(earlier == before) & (Mask)(mine->value > p->now[rank].value);
        choose_lanes(&p->now[rank], mine, &chosen);
    }
}

static int path_choose(Walk *w, i64 rank, i64 group) {
    Paths *p = (Paths *)w;
    const Programs *t = w->task;
    i64 all = requests_of(t, group), known = walk_known(w, group), needed = needed_of(t, group);
    if (known < (p->early ? 0 : needed)) return 0;
    if (!p->early || known == all) nth(p, rank, requests_done(p, group), needed - 1);
    i64 last = t->request_first[t->group_first[group + 1]];
    for (i64 k = t->request_first[t->group_first[group]]; k < last; k++) waited(p, t->request_message[k]);
    return 1;
}

static void used(Paths *p, i64 sync) {
    if (!--p->uses[sync]) p->spare[p->spares++] = p->mark[sync];
}

static void path_enter(Walk *w, i64 rank, i64 sync) {
    Paths *p = (Paths *)w;
    const Dates start = {0};
    if (sync >= p->syncs) return;
    if (!p->entered[sync]) p->mark[sync + 1] = hold(p, &start);
    later(&p->dates[p->mark[sync + 1]], &p->now[rank]);
    if (++p->entered[sync] < w->task->ranks) return;
    Dates floor = sync ? p->dates[p->mark[sync]] : start;
    lengthen(p, &floor, 3, p->gap[sync]);
    later(&p->dates[p->mark[sync + 1]], &floor);
    if (sync) used(p, sync);
}

static void path_leave(Walk *w, i64 rank, i64 sync) {
    Paths *p = (Paths *)w;
    if (sync >= p->syncs) return;
    if (p->entered[sync] == w->task->ranks) later(&p->now[rank], &p->dates[p->mark[sync + 1]]);
    used(p, sync + 1);
}

#define LONGEST_BY .post = path_post, .wait = path_wait, .compute = path_compute, \
    .sleep = path_sleep, .choose = path_choose, .enter = path_enter, .leave = path_leave,
static const Visitor LONGEST = {LONGEST_BY .late = 0}, LATE_LONGEST = {LONGEST_BY .late = 1};

/* All paths for some factors, three per lane; `waits` by message. */
static void follow_all(Paths *p, const Programs *t, const double *factors, i64 number, const int *waits, double *result) {
    for (int w = 0; w < LANES; w++)
        for (int k = 0; k < 3; k++) p->factor[k][w] = factors[3 * (w < number ? w : number - 1) + k];
    memset(p->now, 0, (size_t)(t->ranks + 1) * sizeof(Dates));
    memset(p->entered, 0, (size_t)p->syncs * sizeof(i64));
    memcpy(p->waits, waits, (size_t)t->messages * sizeof(int));
    for (i64 k = 0; k <= p->syncs; k++) p->uses[k] = t->ranks + 1;
    p->used = p->spares = 0;
    walk_begin(&p->walk, t);
    if (p->early) walk_all(&p->walk, &LONGEST);
    else walk_all(&p->walk, &LATE_LONGEST);
    walk_end(&p->walk);
    if (p->walk.failed) return;
    Dates last = {0};
    if (p->syncs > 0) {
        if (p->entered[p->syncs - 1]) last = p->dates[p->mark[p->syncs]];
        lengthen(p, &last, 3, p->gap[p->syncs]);
    }

    for (i64 k = 0; k < t->ranks; k++) later(&last, &p->now[k]);
    for (i64 w = 0; w < number; w++)
        for (int k = 0; k < 4; k++) result[4 * w + k] = last.part[k][w];
}

/* `gap` and `syncs`: bandwidth terms between synchronising collectives, the last one up to the end (syncs 0: none).
 * Result: the four parts of the longest path for each of `number` sets of factors. 1 if memory ran out. */
i64 apet_longest(const Programs *task, const double *duration, const double *slowness, const double *gap, i64 syncs,
                 const double *factors, i64 number, i64 early, double *result) {
    Paths p = {.duration = duration, .slowness = slowness, .gap = gap, .syncs = syncs, .early = early != 0};
    int failed = 0, *waits = zeroed(&failed, task->messages, sizeof(int));
    p.now = zeroed(&failed, task->ranks + 1, sizeof(Dates));
    p.slot = zeroed(&failed, task->messages, sizeof(int));
    p.waits = zeroed(&failed, task->messages, sizeof(int));
    p.mark = zeroed(&failed, syncs + 1, sizeof(int));
    p.uses = zeroed(&failed, syncs + 1, sizeof(i64));
    p.entered = zeroed(&failed, syncs + 1, sizeof(i64));
    if (!failed) count_waits(task, waits);
    for (i64 k = 0; k < number && !failed; k += LANES) {
        follow_all(&p, task, factors + 3 * k, number - k < LANES ? number - k : LANES, waits, result + 4 * k);
        failed = p.walk.failed;
    }
    void *all[] = {waits, p.now, p.dates, p.spare, p.slot, p.waits, p.mark, p.uses, p.entered, p.done};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
    return failed;
}

/* The longest path as a function of one factor: recorded once as instructions on dates, which are then followed for
 * several values of the factor at a time. Each date is a value and its slope, the derivative by the factor. */

#include "walk.h"

enum { LANES = 8 };
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(16)));
typedef i64 Mask __attribute__((vector_size(LANES * sizeof(i64)), aligned(16)));
typedef struct { Lanes value, slope; } Date;

/* On a date: none; another one's; the later of two; so many seconds more; seconds of a message more; the last two of
 * both. */
enum { START, COPY, LATER, MORE, LAST_CODE = 7, CODE = 3 };
typedef struct { int to, from; } Order; /* to: the date << CODE | its code; from: another date */

struct Curve {
    Walk walk;
    const double *duration, *slowness, *gap; /* by message and collective: seconds, per factor, the greater of two such */
    i64 syncs;
    Order *orders;
    i64 order_count, order_room;
    double *numbers;        /* of MORE, four each as of a message */
    i64 number_count, number_room;
    double *ahead;          /* by rank: seconds that its date is behind */
    int *slot, *waits;      /* by message: its date; the waits that are still to come */
    int *mark;              /* by collective: its date */
    i64 *uses, *entered;
    int *spare;
    i64 spares, spare_room, dates;
    Date *date;
};

static void order(Curve *c, int code, i64 to, i64 from) {
    if (!grow((void **)&c->orders, c->order_count, &c->order_room, sizeof(Order))) c->walk.failed = 1;
    else c->orders[c->order_count++] = (Order){(int)(to << CODE) | code, (int)from};
}

static void more(Curve *c, i64 to, const double *seconds) {
    for (int k = 0; k < 4; k++) {
        if (!grow((void **)&c->numbers, c->number_count, &c->number_room, sizeof(double))) {
            c->walk.failed = 1;
            return;
        }
        c->numbers[c->number_count++] = seconds[k];
    }
    order(c, MORE, to, 0);
}

/* A rank's date is what has been recorded and what it has computed since. */
static i64 now(Curve *c, i64 rank) {
    if (c->ahead[rank] > 0) more(c, rank, (double[]){c->ahead[rank], 0, 0, 0});
    c->ahead[rank] = 0;
    return rank;
}

static int hold(Curve *c) {
    if (c->spares) return c->spare[--c->spares];
    i64 room = c->spare_room;
    if (!grow((void **)&c->spare, c->dates, &room, sizeof(int))) {
        c->walk.failed = 1;
        return 0;
    }
    c->spare_room = room;
    return (int)c->dates++;
}

static void curve_post(Walk *w, i64 rank, i64 m, int side) {
    Curve *c = (Curve *)w;
    (void)side;
    if (!w->sides[m]) {
        c->slot[m] = hold(c);
        order(c, COPY, c->slot[m], now(c, rank));
        return;
    }
    if (!(w->task->early && w->task->early[m])) order(c, LATER, c->slot[m], now(c, rank));
    more(c, c->slot[m], c->duration + 4 * m);
    if (!c->waits[m]) c->spare[c->spares++] = c->slot[m];
}

static void curve_wait(Walk *w, i64 rank, i64 m, int side) {
    Curve *c = (Curve *)w;
    (void)side;
    order(c, LATER, now(c, rank), c->slot[m]);
    if (!--c->waits[m]) c->spare[c->spares++] = c->slot[m];
}

static void curve_sleep(Walk *w, i64 rank, double seconds) { ((Curve *)w)->ahead[rank] += seconds; }

static void curve_compute(Walk *w, i64 rank, double flops) { curve_sleep(w, rank, flops * ((Curve *)w)->slowness[rank]); }

static void curve_used(Curve *c, i64 sync) {
    if (!--c->uses[sync]) c->spare[c->spares++] = c->mark[sync];
}

static void curve_enter(Walk *w, i64 rank, i64 sync) {
    Curve *c = (Curve *)w;
    if (sync >= c->syncs) return;
    if (!c->entered[sync]++) {
        c->mark[sync] = hold(c);
        order(c, COPY, c->mark[sync], now(c, rank));
    } else {
        order(c, LATER, c->mark[sync], now(c, rank));
    }
    if (c->entered[sync] < w->task->ranks) return;

    int floor = hold(c);
    if (sync) order(c, COPY, floor, c->mark[sync - 1]);
    else order(c, START, floor, 0);
    more(c, floor, c->gap + 4 * sync);
    order(c, LATER, c->mark[sync], floor);
    c->spare[c->spares++] = floor;
    if (sync) curve_used(c, sync - 1);
}

static void curve_leave(Walk *w, i64 rank, i64 sync) {
    Curve *c = (Curve *)w;
    if (sync >= c->syncs) return;
    order(c, LATER, now(c, rank), c->mark[sync]);
    curve_used(c, sync);
}

#define CURVE_BY .post = curve_post, .wait = curve_wait, .compute = curve_compute, .sleep = curve_sleep, \
    .enter = curve_enter, .leave = curve_leave,
static const Visitor CURVE = {CURVE_BY .late = 0}, LATE_CURVE = {CURVE_BY .late = 1};

/* The end of all in date 0. */
static void curve_end(Curve *c) {
    if (c->syncs) {
        i64 last = c->mark[c->syncs - 1];
        more(c, last, c->gap + 4 * c->syncs);
        order(c, LATER, now(c, 0), last);
    }
    for (i64 r = 0; r < c->walk.task->ranks; r++) order(c, LATER, now(c, 0), now(c, r));
}

void apet_curve_free(Curve *c) {
    if (!c) return;
    void *all[] = {c->orders, c->numbers, c->ahead, c->slot, c->waits, c->mark, c->uses, c->entered, c->spare, c->date, c};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
}

/* Programs without waits for some of several. `duration`, by message, and `gap`, by synchronising collective and at the
 * end, are rows of four: seconds, seconds per factor, and two such of which the greater counts (syncs 0: no gaps).
 * NULL if memory ran out. */
Curve *apet_curve(const Programs *task, const double *duration, const double *slowness, const double *gap, i64 syncs,
                  i64 late) {
    Curve *c = calloc(1, sizeof(Curve));
    if (!c) return NULL;
    walk_begin(&c->walk, task);
    int *failed = &c->walk.failed;
    *c = (Curve){.walk = c->walk, .duration = duration, .slowness = slowness, .gap = gap, .syncs = syncs};
    c->dates = task->ranks;
    c->spare_room = 2 * task->ranks + 64;
    c->spare = zeroed(failed, c->spare_room, sizeof(int));
    c->ahead = zeroed(failed, task->ranks, sizeof(double));
    c->slot = zeroed(failed, task->messages, sizeof(int));
    c->waits = zeroed(failed, task->messages, sizeof(int));
    c->mark = zeroed(failed, syncs, sizeof(int));
    c->uses = zeroed(failed, syncs, sizeof(i64));
    c->entered = zeroed(failed, syncs, sizeof(i64));
    if (!*failed) {
        count_waits(task, c->waits);
        for (i64 k = 0; k < syncs; k++) c->uses[k] = task->ranks + 1;
        for (i64 r = 0; r < task->ranks; r++) order(c, START, r, 0);
        if (late) walk_all(&c->walk, &LATE_CURVE);
        else walk_all(&c->walk, &CURVE);
    }

    if (!*failed) curve_end(c);
    walk_end(&c->walk);
    if (!*failed) c->date = zeroed(failed, c->dates, sizeof(Date));
    if (!*failed) return c;
    apet_curve_free(c);
    return NULL;
}

static inline __attribute__((always_inline)) void later(Date *date, const Date *other) {
    Mask after = (Mask)(other->value > date->value);
    date->value = (Lanes)((after & (Mask)other->value) | (~after & (Mask)date->value));
    date->slope = (Lanes)((after & (Mask)other->slope) | (~after & (Mask)date->slope));
}

static inline __attribute__((always_inline)) void follow(const Curve *c, const double *factors) {
    const Date start = {0};
    Lanes factor;
    memcpy(&factor, factors, sizeof(factor));
    const double *n = c->numbers;
    for (const Order *o = c->orders, *end = o + c->order_count; o < end; o++) {
        Date *to = &c->date[o->to >> CODE];
        switch (o->to & LAST_CODE) {
        case START: *to = start; break;
        case COPY: *to = c->date[o->from]; break;
        case LATER: later(to, &c->date[o->from]); break;
        default: {
            Lanes flat = n[2] - (Lanes){0}, rising = n[3] * factor;
            Mask rises = (Mask)(rising > flat);
            to->value += n[0] + n[1] * factor + (Lanes)((rises & (Mask)rising) | (~rises & (Mask)flat));
            to->slope += n[1] + (Lanes)(rises & (Mask)(n[3] - (Lanes){0}));
            n += 4;
        }
        }
    }
}

static void follow_anywhere(const Curve *c, const double *factors) { follow(c, factors); }

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DISPATCHED /* as in sums.c */
__attribute__((target("avx2"))) static void follow_of_4(const Curve *c, const double *factors) { follow(c, factors); }
__attribute__((target("avx512f"))) static void follow_of_8(const Curve *c, const double *factors) { follow(c, factors); }
#endif

/* The last date and its slope for eight factors. */
void apet_curve_at(const Curve *c, const double *factors, double *values, double *slopes) {
#ifdef DISPATCHED
    if (__builtin_cpu_supports("avx512f")) follow_of_8(c, factors);
    else if (__builtin_cpu_supports("avx2")) follow_of_4(c, factors);
    else
#endif
        follow_anywhere(c, factors);
    memcpy(values, &c->date[0].value, sizeof(Lanes));
    memcpy(slopes, &c->date[0].slope, sizeof(Lanes));
}

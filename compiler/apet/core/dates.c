/* Dates by longest path, where each message and each flop takes a given time. */

#include "floors.h"
#include "walk.h"

typedef struct {
    Walk walk;
    const double *duration, *slowness;
    double lead; /* seconds by which computing may end earlier */
    int early;
    double *posted, *began, *ended, *now;
    Floors *floors; /* what raises early dates, or NULL */
} Dates;

/* A message that is not posted by both may still turn out to be the first: a lower bound cannot wait for others. */
static int dates_choose(Walk *w, i64 rank, i64 group) {
    Dates *d = (Dates *)w;
    i64 known = walk_known(w, group), needed = needed_of(w->task, group);
    if (d->early && known < requests_of(w->task, group)) return 1;
    if (known < needed) return 0;
    i64 m = walk_nth(w, group, needed, d->ended);
    if (m != NONE && d->ended[m] > d->now[rank]) d->now[rank] = d->ended[m];
    return 1;
}

static void dates_post(Walk *w, i64 rank, i64 m, int side) {
    Dates *d = (Dates *)w;
    double now = d->now[rank];
    (void)side;
    if (!w->sides[m]) {
        d->posted[m] = now;
        return;
    }
    d->began[m] = d->posted[m] > now ? d->posted[m] : now;
    d->ended[m] = d->began[m] + d->duration[m];
}

static void dates_wait(Walk *w, i64 rank, i64 m, int side) {
    Dates *d = (Dates *)w;
    if (d->ended[m] > d->now[rank]) d->now[rank] = d->ended[m];
    if (!d->floors) return;
    d->now[rank] = floor_waited(d->floors, rank, m, d->now[rank], !side);
    d->now[rank] = floor_learned(d->floors, rank, m, d->now[rank], !side);
}

static void dates_sleep(Walk *w, i64 rank, double seconds) {
    Dates *d = (Dates *)w;
    if (seconds - d->lead > 0) d->now[rank] += seconds - d->lead;
}

static void dates_compute(Walk *w, i64 rank, double flops) {
    Dates *d = (Dates *)w;
    dates_sleep(w, rank, flops * d->slowness[rank]);
}

static void dates_enter(Walk *w, i64 rank, i64 sync) {
    Dates *d = (Dates *)w;
    if (d->floors) floor_enter(d->floors, rank, sync);
}

static void dates_leave(Walk *w, i64 rank, i64 sync) {
    Dates *d = (Dates *)w;
    if (d->floors) d->now[rank] = floor_leave(d->floors, sync, d->now[rank]);
}

#define DATES_BY .post = dates_post, .wait = dates_wait, .compute = dates_compute, \
    .sleep = dates_sleep, .choose = dates_choose, .enter = dates_enter, .leave = dates_leave,
static const Visitor DATES = {DATES_BY .late = 0}, LATE_DATES = {DATES_BY .late = 1};

static int dates_begin(Dates *d, const Programs *task) {
    walk_begin(&d->walk, task);
    d->posted = zeroed(&d->walk.failed, task->messages, sizeof(double));
    d->now = zeroed(&d->walk.failed, task->ranks, sizeof(double));
    return d->walk.failed;
}

/* The last date of all ranks. */
static double dates_end(Dates *d, const Programs *task) {
    double last = 0;
    for (i64 k = 0; d->now && k < task->ranks; k++)
        if (d->now[k] > last) last = d->now[k];
    walk_end(&d->walk);
    free(d->posted);
    free(d->now);
    return last;
}

/* Dates at which messages begin and end (not touched where they do not), and the last date of all ranks. 1 if memory
 * ran out. */
i64 apet_dates(const Programs *task, const double *duration, const double *slowness, double lead, i64 early,
               double *began, double *ended, double *last) {
    Dates d = {.duration = duration, .slowness = slowness, .lead = lead, .early = early != 0, .began = began, .ended = ended};
    dates_begin(&d, task);
    if (early) walk_all(&d.walk, &DATES);
    else walk_all(&d.walk, &LATE_DATES);
    *last = dates_end(&d, task);
    return d.walk.failed;
}

/* Early dates, raised by what links must carry. Ranks go on in turn: it depends on this which messages are known when a
 * rank waits for some of several. */
i64 apet_early(const Programs *task, const Loads *loads, const double *duration, const double *slowness, double *began,
               double *ended, double *last) {
    Floors floors;
    Dates d = {.duration = duration, .slowness = slowness, .early = 1, .began = began, .ended = ended, .floors = &floors};
    d.lead = loads->moment;
    dates_begin(&d, task);
    d.walk.failed |= floors_begin(&floors, task, loads, began);
    walk_in_turn(&d.walk, &DATES);
    double raised = d.walk.failed ? 0 : floor_of_all(&floors);
    *last = dates_end(&d, task);
    if (raised > *last) *last = raised;
    d.walk.failed |= floors.failed;
    floors_end(&floors);
    return d.walk.failed;
}

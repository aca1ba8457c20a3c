/* Dates since the last collective that no rank leaves before all have begun it. */

#include "walk.h"

typedef struct {
    Walk walk;
    const double *duration, *slowness, *begins, *gain; /* begins NULL: early dates */
    double lead;
    i64 *epoch, *now_epoch;
    double *date, *entered, *now;
} Since;

static void since_post(Walk *w, i64 rank, i64 m, int side) {
    Since *s = (Since *)w;
    (void)side;
    if (s->now_epoch[rank] > s->epoch[m]) {
        s->epoch[m] = s->now_epoch[rank];
        s->date[m] = s->now[rank];
    } else if (s->now_epoch[rank] == s->epoch[m] && s->now[rank] > s->date[m]) {
        s->date[m] = s->now[rank];
    }
}

static double since_end(const Since *s, i64 rank, i64 m) {
    double end = s->date[m] + s->duration[m];
    i64 epoch = s->now_epoch[rank];
    if (!s->begins) return s->epoch[m] >= epoch ? end : 0;
    return end - (s->begins[epoch] - s->begins[s->epoch[m]]);
}

static void since_wait(Walk *w, i64 rank, i64 m, int side) {
    Since *s = (Since *)w;
    (void)side;
    double end = since_end(s, rank, m);
    if (end > s->now[rank]) s->now[rank] = end;
}

static void since_sleep(Walk *w, i64 rank, double seconds) {
    Since *s = (Since *)w;
    if (seconds - s->lead > 0) s->now[rank] += seconds - s->lead;
}

static void since_compute(Walk *w, i64 rank, double flops) { since_sleep(w, rank, flops * ((Since *)w)->slowness[rank]); }

static void since_enter(Walk *w, i64 rank, i64 sync) {
    Since *s = (Since *)w;
    if (s->now[rank] > s->entered[sync]) s->entered[sync] = s->now[rank];
    if (!s->begins) return;
    s->now_epoch[rank] = sync + 1;
    s->now[rank] = 0;
}

static void since_leave(Walk *w, i64 rank, i64 sync) {
    Since *s = (Since *)w;
    if (s->begins) return;
    s->now_epoch[rank] = sync + 1;
    s->now[rank] = s->gain[sync];
}

#define SINCE_BY .post = since_post, .wait = since_wait, .compute = since_compute, \
    .sleep = since_sleep, .enter = since_enter, .leave = since_leave,
static const Visitor SINCE = {SINCE_BY .late = 0}, LATE_SINCE = {SINCE_BY .late = 1};

/* By message the epoch (-1 at first) and date of its beginning; by collective the last date at which a rank begins it
 * (0 at first). `begins` NULL: early dates. 1 if memory ran out. */
i64 apet_epochs(const Programs *task, const double *duration, const double *slowness, double lead, const double *begins,
                const double *gain, i64 *epoch, double *date, double *entered) {
    Since s = {.duration = duration, .slowness = slowness, .lead = lead, .begins = begins, .gain = gain, .epoch = epoch,
               .date = date, .entered = entered};
    walk_begin(&s.walk, task);
    s.now = zeroed(&s.walk.failed, task->ranks, sizeof(double));
    s.now_epoch = zeroed(&s.walk.failed, task->ranks, sizeof(i64));
    if (begins) walk_all(&s.walk, &LATE_SINCE);
    else walk_all(&s.walk, &SINCE);
    walk_end(&s.walk);
    free(s.now);
    free(s.now_epoch);
    return s.walk.failed;
}

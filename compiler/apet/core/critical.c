/* The critical path: the longest one, followed back from its end. */

#include "walk.h"

enum { AT_SOURCE, AT_TARGET, AT_BOTH };

typedef struct {
    Walk walk;
    Critical *c;
} Forward;

static void critical_post(Walk *w, i64 rank, i64 m, int side) {
    Critical *c = ((Forward *)w)->c;
    double now = c->now[rank];
    c->place[2 * m + side] = (int)w->at[rank];
    if (!w->sides[m]) {
        c->date[m] = now;
        return;
    }
    double before = c->date[m];
    int either = before == now && !(w->task->early && w->task->early[m]);
    c->later[m] = (unsigned char)(either ? AT_BOTH : before <= now ? side : 1 - side);
    c->date[m] = (before > now ? before : now) + c->duration[m];
}

static int critical_until(const Walk *w, i64 rank, double date) {
    Critical *c = ((const Forward *)w)->c;
    if (date <= c->now[rank]) return 0;
    c->now[rank] = date;
    c->decides[c->first[rank] + w->at[rank]] = 1;
    return 1;
}

static void critical_wait(Walk *w, i64 rank, i64 m, int side) {
    (void)side;
    critical_until(w, rank, ((Forward *)w)->c->date[m]);
}

static void critical_compute(Walk *w, i64 rank, double flops) {
    Critical *c = ((Forward *)w)->c;
    c->now[rank] += flops * c->slowness[rank];
}

static void critical_sleep(Walk *w, i64 rank, double seconds) { ((Forward *)w)->c->now[rank] += seconds; }

/* Nobody waits for those that are not all posted yet, since one of them may be first. */
static int critical_choose(Walk *w, i64 rank, i64 group) {
    Critical *c = ((Forward *)w)->c;
    if (walk_known(w, group) < requests_of(w->task, group)) return 1;
    i64 m = walk_nth(w, group, needed_of(w->task, group), c->date);
    if (m != NONE && critical_until(w, rank, c->date[m])) c->chosen[group] = m;
    return 1;
}

static void critical_enter(Walk *w, i64 rank, i64 sync) {
    Critical *c = ((Forward *)w)->c;
    if (sync >= c->syncs) return;
    if (c->now[rank] > c->mark[sync]) {
        c->mark[sync] = c->now[rank];
        c->mark_rank[sync] = (int)rank;
        c->mark_place[sync] = (int)w->at[rank];
    }

    if (++c->entered[sync] < w->task->ranks) return;
    double floor = (sync ? c->mark[sync - 1] : 0) + c->gap[sync];
    if (floor > c->mark[sync]) {
        c->mark[sync] = floor;
        c->mark_rank[sync] = NONE;
    }
}

static void critical_leave(Walk *w, i64 rank, i64 sync) {
    const Critical *c = ((Forward *)w)->c;
    if (sync < c->syncs && c->entered[sync] == w->task->ranks) critical_until(w, rank, c->mark[sync]);
}

static const Visitor CRITICAL = {.post = critical_post,     .wait = critical_wait,   .compute = critical_compute, .sleep = critical_sleep,
                                 .choose = critical_choose, .enter = critical_enter, .leave = critical_leave};

/* Dates, and what decides them. 1 if memory ran out. */
i64 apet_critical(const Programs *task, Critical *c) {
    Forward f = {.c = c};
    walk_begin(&f.walk, task);
    walk_all(&f.walk, &CRITICAL);
    walk_end(&f.walk);
    if (c->syncs > 0) c->mark[c->syncs] = c->mark[c->syncs - 1] + c->gap[c->syncs];
    return f.walk.failed;
}

/* Where the way back is: behind an operation of a rank; rank -1 at the beginning of all. */
typedef struct {
    Step *steps;
    i64 number;
    int rank, place;
} Back;

static void add_step(Back *b, i64 what, int rank, int place, int origin) {
    if (b->steps) b->steps[b->number] = (Step){what, rank, place, origin};
    b->number++;
}

/* Back from the date before which no rank leaves a collective. */
static void back_from_mark(Back *b, const Critical *c, i64 sync) {
    for (; sync >= 0 && c->mark_rank[sync] < 0; sync--) add_step(b, sync << SHIFT | LEAVE, -1, -1, -1);
    b->rank = sync < 0 ? -1 : c->mark_rank[sync];
    b->place = sync < 0 ? 0 : c->mark_place[sync];
}

static void back_from_message(Back *b, const Programs *t, const Critical *c, i64 m, int code) {
    i64 ends[] = {t->source[t->pair[m]], t->target[t->pair[m]]};
    int side = c->later[m];
    if (side == AT_BOTH) side = ends[AT_SOURCE] == b->rank ? AT_SOURCE : AT_TARGET;
    add_step(b, m << SHIFT | code, b->rank, b->place, (int)ends[side]);
    b->rank = (int)ends[side];
    b->place = c->place[2 * m + side];
}

/* The steps of the path, the last one first, unless `steps` is NULL; how many there are. */
i64 apet_critical_back(const Programs *t, const Critical *c, Step *steps) {
    Back b = {.steps = steps, .rank = -1};
    double last = -1;

    for (i64 r = 0; r < t->ranks; r++)
        if (c->now[r] > last) {
            last = c->now[r];
            b.rank = (int)r;
            b.place = (int)t->lengths[r];
        }
    if (c->syncs > 0 && c->mark[c->syncs] > last) back_from_mark(&b, c, c->syncs);
    while (b.rank >= 0 && b.place > 0) {
        i64 operation = t->operations[b.rank][--b.place], what = operation >> SHIFT;
        int code = (int)(operation & MASK);
        if (code == COMPUTE || code == SLEEP || code >= TAKE) add_step(&b, operation, b.rank, b.place, b.rank);
        else if (!c->decides[c->first[b.rank] + b.place]) continue;
        else if (code == ANY) back_from_message(&b, t, c, c->chosen[what], ANY);
        else if (code == LEAVE) back_from_mark(&b, c, what);
        else back_from_message(&b, t, c, what, code);
    }

    return b.number;
}

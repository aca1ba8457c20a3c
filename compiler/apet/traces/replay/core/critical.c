/* The critical path: the longest one, followed back from its end. As critical.py. */

enum { AT_SOURCE, AT_TARGET, AT_BOTH };

/* Arrays of the caller. */
typedef struct {
    const double *duration, *slowness, *gap; /* by message, by rank, by synchronising collective and at the end */
    i64 syncs;
    double *date;           /* by message: of its first post, then of its end */
    int *place;             /* by message: the operations that post it at its source and at its target */
    unsigned char *later;   /* by message: where it is posted later */
    unsigned char *decides; /* by operation, one rank after the other: whether it is what its rank waits for */
    const i64 *first;       /* by rank: its first operation among those */
    i64 *chosen;            /* by group: the message that decides */
    double *now;            /* by rank */
    double *mark;           /* by collective, and at the end: the date before which no rank leaves it */
    int *mark_rank, *mark_place; /* the operation that this date comes from; -1: the floor */
    i64 *entered;
} Critical;

/* What takes time: an operation of a rank, for a message its wait; it goes on from `origin`. A floor has rank -1. */
typedef struct {
    i64 what;
    int rank, place, origin, unused;
} Step;

static void critical_post(Critical *c, Walk *w, i64 rank, i64 m, int side) {
    double now = c->now[rank];
    c->place[2 * m + side] = (int)w->at[rank];
    if (!w->sides[m]) {
        w->sides[m] = 1;
        c->date[m] = now;
        return;
    }
    double before = c->date[m];
    c->later[m] = (unsigned char)(before == now ? AT_BOTH : before < now ? side : 1 - side);
    c->date[m] = (before > now ? before : now) + c->duration[m];
    posted_both(w, m);
}

static int critical_until(Critical *c, i64 rank, i64 place, double date) {
    if (date <= c->now[rank]) return 0;
    c->now[rank] = date;
    c->decides[c->first[rank] + place] = 1;
    return 1;
}

/* Waits for some of several; nobody waits for those that are not all posted yet, since one of them may be first. */
static void critical_some(Critical *c, const Walk *w, i64 rank, i64 group) {
    const Programs *t = w->task;
    const i64 *messages = t->group_message + t->group_first[group];
    i64 number = t->group_first[group + 1] - t->group_first[group];
    i64 needed = t->group_needed[group] < number ? t->group_needed[group] : number;
    for (i64 k = 0; k < number; k++)
        if (w->sides[messages[k]] != 2) return;
    for (i64 k = 0; k < number; k++) {
        double date = c->date[messages[k]];
        i64 before = 0;
        for (i64 j = 0; j < number; j++)
            before += c->date[messages[j]] < date || (c->date[messages[j]] == date && j < k);
        if (before != needed - 1) continue;
        if (critical_until(c, rank, w->at[rank], date)) c->chosen[group] = messages[k];
        return;
    }
}

static void critical_enter(Critical *c, const Walk *w, i64 rank, i64 sync) {
    if (c->now[rank] > c->mark[sync]) {
        c->mark[sync] = c->now[rank];
        c->mark_rank[sync] = (int)rank;
        c->mark_place[sync] = (int)w->at[rank];
    }
    if (++c->entered[sync] < w->task->ranks) return;
    double floor = (sync ? c->mark[sync - 1] : 0) + c->gap[sync];
    if (floor > c->mark[sync]) {
        c->mark[sync] = floor;
        c->mark_rank[sync] = -1;
    }
}

static void critical_rank(Critical *c, Walk *w, i64 rank) {
    const Programs *t = w->task;
    i64 *at = &w->at[rank];
    for (; *at < t->lengths[rank]; ++*at) {
        i64 operation = t->operations[rank][*at], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
            critical_post(c, w, rank, what, AT_SOURCE);
            break;
        case RECEIVE:
            critical_post(c, w, rank, what, AT_TARGET);
            break;
        case SENT:
        case RECEIVED:
            if (w->sides[what] != 2) {
                wait_in(w, rank, what);
                return;
            }
            critical_until(c, rank, *at, c->date[what]);
            break;
        case COMPUTE:
            c->now[rank] += t->values[what] * c->slowness[rank];
            break;
        case SLEEP:
            c->now[rank] += t->values[what];
            break;
        case ANY:
            critical_some(c, w, rank, what);
            break;
        case ENTER:
            if (what < c->syncs) critical_enter(c, w, rank, what);
            break;
        case LEAVE:
            if (what < c->syncs && c->entered[what] == t->ranks) critical_until(c, rank, *at, c->mark[what]);
            break;
        }
    }
}

/* Dates, and what decides them. 1 if memory ran out. */
int apet_critical(const Programs *task, Critical *c) {
    Walk w;
    int failed = walk_begin(&w, task);
    if (!failed)
        while (w.height > 0) critical_rank(c, &w, w.stack[--w.height]);
    walk_end(&w);
    if (c->syncs > 0) c->mark[c->syncs] = c->mark[c->syncs - 1] + c->gap[c->syncs];
    return failed;
}

/* Where the way back is: behind an operation of a rank; rank -1 at the beginning of all. */
typedef struct {
    Step *steps;
    i64 number;
    int rank, place;
} Back;

static void step(Back *b, i64 what, int rank, int place, int origin) {
    if (b->steps) b->steps[b->number] = (Step){what, rank, place, origin, 0};
    b->number++;
}

/* Back from the date before which no rank leaves a collective. */
static void back_from_mark(Back *b, const Critical *c, i64 sync) {
    for (; sync >= 0 && c->mark_rank[sync] < 0; sync--) step(b, sync << SHIFT | LEAVE, -1, -1, -1);
    b->rank = sync < 0 ? -1 : c->mark_rank[sync];
    b->place = sync < 0 ? 0 : c->mark_place[sync];
}

static void back_from_message(Back *b, const Programs *t, const Critical *c, i64 m, int code) {
    i64 ends[] = {t->source[t->pair[m]], t->target[t->pair[m]]};
    int side = c->later[m];
    if (side == AT_BOTH) side = ends[AT_SOURCE] == b->rank ? AT_SOURCE : AT_TARGET;
    step(b, m << SHIFT | code, b->rank, b->place, (int)ends[side]);
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
        if (code == COMPUTE || code == SLEEP) step(&b, operation, b.rank, b.place, b.rank);
        else if (!c->decides[c->first[b.rank] + b.place]) continue;
        else if (code == ANY) back_from_message(&b, t, c, c->chosen[what], ANY);
        else if (code == LEAVE) back_from_mark(&b, c, what);
        else back_from_message(&b, t, c, what, code);
    }
    return b.number;
}

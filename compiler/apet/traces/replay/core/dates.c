/* Dates by longest path, where each message and each flop takes a given time. */

typedef struct {
    Walk walk;
    const double *duration, *slowness;
    double lead; /* seconds by which computing may end earlier */
    int early;
    double *posted, *began, *ended, *now;
    Floors *floors; /* what raises early dates, or NULL */
} Dates;

/* Waits for some of several: whether the rank may go on. */
static int enough(Dates *d, i64 rank, i64 group) {
    const Programs *t = d->walk.task;
    i64 first = t->group_first[group], number = t->group_first[group + 1] - first, known = 0;
    i64 needed = t->group_needed[group] < number ? t->group_needed[group] : number;
    for (i64 k = 0; k < number; k++) known += d->walk.sides[t->group_message[first + k]] == 2;
    if (d->early && known < number) return 1;
    if (known < needed) return 0;
    for (i64 k = 0; k < number; k++) {
        i64 m = t->group_message[first + k], before = 0;
        if (d->walk.sides[m] != 2) continue;
        for (i64 j = 0; j < number; j++) {
            i64 other = t->group_message[first + j];
            if (d->walk.sides[other] == 2)
                before += d->ended[other] < d->ended[m] || (d->ended[other] == d->ended[m] && j < k);
        }
        if (before == needed - 1 && d->ended[m] > d->now[rank]) d->now[rank] = d->ended[m];
    }
    return 1;
}

static void date_post(Dates *d, i64 rank, i64 m) {
    double now = d->now[rank];
    if (!d->walk.sides[m]) {
        d->walk.sides[m] = 1;
        d->posted[m] = now;
        return;
    }
    d->began[m] = d->posted[m] > now ? d->posted[m] : now;
    d->ended[m] = d->began[m] + d->duration[m];
    posted_both(&d->walk, m);
}

static void spend(Dates *d, i64 rank, double seconds) {
    if (seconds > 0) d->now[rank] += seconds;
}

static void date_rank(Dates *d, i64 rank) {
    const Programs *t = d->walk.task;
    i64 *at = &d->walk.at[rank];
    for (; *at < t->lengths[rank]; ++*at) {
        i64 operation = t->operations[rank][*at], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
        case RECEIVE:
            date_post(d, rank, what);
            break;
        case SENT:
        case RECEIVED:
            if (d->walk.sides[what] != 2) {
                wait_in(&d->walk, rank, what);
                return;
            }
            if (d->ended[what] > d->now[rank]) d->now[rank] = d->ended[what];
            if (d->floors) d->now[rank] = floor_waited(d->floors, rank, what, d->now[rank], (operation & MASK) == SENT);
            break;
        case COMPUTE:
            spend(d, rank, t->values[what] * d->slowness[rank] - d->lead);
            break;
        case SLEEP:
            spend(d, rank, t->values[what] - d->lead);
            break;
        case ANY:
            if (!enough(d, rank, what)) {
                d->walk.waiting[rank] = CHOOSING;
                return;
            }
            break;
        case ENTER:
            if (d->floors) floor_enter(d->floors, rank, what);
            break;
        case LEAVE:
            if (d->floors) d->now[rank] = floor_leave(d->floors, what, d->now[rank]);
            break;
        }
    }
}

static int dates_begin(Dates *d, const Programs *task) {
    d->posted = calloc((size_t)task->messages + 1, sizeof(double));
    d->now = calloc((size_t)task->ranks + 1, sizeof(double));
    return walk_begin(&d->walk, task) || !d->posted || !d->now;
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
int apet_dates(const Programs *task, const double *duration, const double *slowness, double lead, int early,
               double *began, double *ended, double *last) {
    Dates d = {.duration = duration, .slowness = slowness, .lead = lead, .early = early, .began = began, .ended = ended};
    int failed = dates_begin(&d, task);
    while (!failed && d.walk.height > 0) date_rank(&d, d.walk.stack[--d.walk.height]);
    *last = dates_end(&d, task);
    return failed;
}

/* Early dates, raised by what links must carry. Ranks go on in turn: it depends on this which messages are known when a
 * rank waits for some of several. */
int apet_early(const Programs *task, const Loads *loads, const double *duration, const double *slowness, double *began,
               double *ended, double *last) {
    Floors floors;
    Dates d = {.duration = duration, .slowness = slowness, .early = 1, .began = began, .ended = ended};
    d.lead = loads->moment;
    int failed = floors_begin(&floors, task, loads, began) | dates_begin(&d, task);
    d.floors = &floors;
    for (i64 k = 0; !failed && k < task->ranks; k++) d.walk.stack[k] = k;
    while (!failed && d.walk.height > 0) date_rank(&d, next_in_turn(&d.walk));
    double raised = failed ? 0 : floor_of_all(&floors);
    *last = dates_end(&d, task);
    if (raised > *last) *last = raised;
    failed |= floors.failed;
    floors_end(&floors);
    return failed;
}

/* Dates since the last collective that no rank leaves before all have begun it, as epochs.py. */

typedef struct {
    Walk walk;
    const double *duration, *slowness, *begins, *gain;
    double lead;
    i64 *epoch, *now_epoch;
    double *date, *entered, *now;
} Since;

static void since_post(Since *s, i64 rank, i64 m) {
    if (s->now_epoch[rank] > s->epoch[m]) {
        s->epoch[m] = s->now_epoch[rank];
        s->date[m] = s->now[rank];
    } else if (s->now_epoch[rank] == s->epoch[m] && s->now[rank] > s->date[m]) {
        s->date[m] = s->now[rank];
    }
    posted_both(&s->walk, m);
}

static double since_end(const Since *s, i64 rank, i64 m) {
    double end = s->date[m] + s->duration[m];
    i64 epoch = s->now_epoch[rank];
    if (!s->begins) return s->epoch[m] >= epoch ? end : 0;
    return end - (s->begins[epoch] - s->begins[s->epoch[m]]);
}

static void since_pass(Since *s, i64 rank, double seconds) {
    if (seconds > 0) s->now[rank] += seconds;
}

static void since_rank(Since *s, i64 rank) {
    const Programs *t = s->walk.task;
    i64 *at = &s->walk.at[rank];
    for (; *at < t->lengths[rank]; ++*at) {
        i64 operation = t->operations[rank][*at], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
        case RECEIVE:
            since_post(s, rank, what);
            break;
        case SENT:
        case RECEIVED:
            if (s->walk.sides[what] < 2) {
                wait_in(&s->walk, rank, what);
                return;
            }
            double end = since_end(s, rank, what);
            if (end > s->now[rank]) s->now[rank] = end;
            break;
        case COMPUTE:
            since_pass(s, rank, t->values[what] * s->slowness[rank] - s->lead);
            break;
        case SLEEP:
            since_pass(s, rank, t->values[what] - s->lead);
            break;
        case ENTER:
            if (s->now[rank] > s->entered[what]) s->entered[what] = s->now[rank];
            if (s->begins) {
                s->now_epoch[rank] = what + 1;
                s->now[rank] = 0;
            }
            break;
        case LEAVE:
            if (!s->begins) {
                s->now_epoch[rank] = what + 1;
                s->now[rank] = s->gain[what];
            }
            break;
        }
    }
}

/* By message the epoch (-1 at first) and date of its beginning; by collective the last date at which a rank begins it
 * (0 at first). `begins` NULL: early dates. 1 if memory ran out. */
int apet_epochs(const Programs *task, const double *duration, const double *slowness, double lead, const double *begins,
                const double *gain, i64 *epoch, double *date, double *entered) {
    Since s = {.duration = duration, .slowness = slowness, .lead = lead, .begins = begins, .gain = gain, .epoch = epoch,
               .date = date, .entered = entered};
    s.now = calloc((size_t)task->ranks + 1, sizeof(double));
    s.now_epoch = calloc((size_t)task->ranks + 1, sizeof(i64));
    int failed = walk_begin(&s.walk, task) || !s.now || !s.now_epoch;
    while (!failed && s.walk.height > 0) since_rank(&s, s.walk.stack[--s.walk.height]);
    walk_end(&s.walk);
    free(s.now);
    free(s.now_epoch);
    return failed;
}

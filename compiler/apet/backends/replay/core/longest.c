/* Longest paths whose dates are linear in three factors: of seconds per flop, of latency, of seconds per byte. */

typedef struct { double value, part[4]; } Date; /* constant, compute, latency, bandwidth */

typedef struct {
    const Programs *task;
    const double *duration; /* by message: latency and bandwidth, then the greater of two further such terms */
    const double *slowness, *gap, *factor;
    i64 syncs;
    int early, failed;
    Date *posted, *ended, *now, *mark;
    unsigned char *state; /* by message: sides posted */
    i64 *at, *entered, *stack, *waits_for;
    i64 height;
    unsigned char *waiting;
} Paths;

static void later(Date *date, const Date *other) {
    if (other->value > date->value) *date = *other;
}

static void lengthen(const Paths *p, Date *date, int part, double by) {
    date->part[part] += by;
    date->value += part ? by * p->factor[part - 1] : by;
}

static void notify(Paths *p, i64 rank, i64 message) {
    if (p->waiting[rank] == CHOOSING || (p->waiting[rank] == WAITING && p->waits_for[rank] == message)) {
        p->waiting[rank] = READY;
        p->stack[p->height++] = rank;
    }
}

static void post(Paths *p, i64 rank, i64 m) {
    const Programs *t = p->task;
    if (!p->state[m]) {
        p->state[m] = 1;
        p->posted[m] = p->now[rank];
        return;
    }
    const double *d = p->duration + 4 * m;
    Date end = p->posted[m];
    later(&end, &p->now[rank]);
    lengthen(p, &end, 2, d[0]);
    lengthen(p, &end, 3, d[1]);
    if (d[2] * p->factor[1] > d[3] * p->factor[2]) lengthen(p, &end, 2, d[2]);
    else lengthen(p, &end, 3, d[3]);
    p->ended[m] = end;
    p->state[m] = 2;
    i64 source = t->source[t->pair[m]], target = t->target[t->pair[m]];
    notify(p, source, m);
    if (target != source) notify(p, target, m);
}

/* Waits for some of several: whether the rank may go on. */
static int some(Paths *p, i64 rank, i64 group) {
    const Programs *t = p->task;
    i64 first = t->group_first[group], number = t->group_first[group + 1] - first, known = 0;
    for (i64 k = 0; k < number; k++) known += p->state[t->group_message[first + k]] == 2;
    i64 needed = t->group_needed[group] < number ? t->group_needed[group] : number;
    if (p->early && known < number) return 1;
    if (known < needed) return 0;
    for (i64 k = 0; k < number; k++) { /* the one that `needed - 1` others do not exceed */
        i64 m = t->group_message[first + k], before = 0;
        if (p->state[m] != 2) continue;
        for (i64 j = 0; j < number; j++) {
            i64 other = t->group_message[first + j];
            if (p->state[other] != 2) continue;
            before += p->ended[other].value < p->ended[m].value || (p->ended[other].value == p->ended[m].value && j < k);
        }
        if (before == needed - 1) later(&p->now[rank], &p->ended[m]);
    }
    return 1;
}

static void follow(Paths *p, i64 rank) {
    const Programs *t = p->task;
    Date *now = &p->now[rank];
    for (; p->at[rank] < t->lengths[rank]; p->at[rank]++) {
        i64 operation = t->operations[rank][p->at[rank]], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
        case RECEIVE:
            post(p, rank, what);
            break;
        case SENT:
        case RECEIVED:
            if (p->state[what] != 2) {
                p->waiting[rank] = WAITING;
                p->waits_for[rank] = what;
                return;
            }
            later(now, &p->ended[what]);
            break;
        case COMPUTE:
            lengthen(p, now, 1, t->values[what] * p->slowness[rank]);
            break;
        case SLEEP:
            lengthen(p, now, 0, t->values[what]);
            break;
        case ANY:
            if (!some(p, rank, what)) {
                p->waiting[rank] = CHOOSING;
                return;
            }
            break;
        case ENTER:
            if (what < p->syncs) {
                later(&p->mark[what + 1], now);
                if (++p->entered[what] == t->ranks) {
                    Date floor = p->mark[what];
                    lengthen(p, &floor, 3, p->gap[what]);
                    later(&p->mark[what + 1], &floor);
                }
            }
            break;
        case LEAVE:
            if (what < p->syncs && p->entered[what] == t->ranks) later(now, &p->mark[what + 1]);
            break;
        }
    }
}

/* `gap` and `syncs`: bandwidth terms between synchronising collectives, the last one up to the end (syncs 0: none).
 * Result: the four parts of the longest path. 0, or 1 if memory ran out. */
int apet_longest(const Programs *task, const double *duration, const double *slowness, const double *gap, i64 syncs,
                 const double *factor, int early, double *result) {
    Paths p = {.task = task, .duration = duration, .slowness = slowness, .gap = gap, .factor = factor, .syncs = syncs,
               .early = early};
    i64 m = task->messages + 1, r = task->ranks + 1;
    p.posted = calloc(m, sizeof(Date));
    p.ended = calloc(m, sizeof(Date));
    p.now = calloc(r, sizeof(Date));
    p.mark = calloc(syncs + 1, sizeof(Date));
    p.state = calloc(m, 1);
    p.at = calloc(r, sizeof(i64));
    p.entered = calloc(syncs + 1, sizeof(i64));
    p.stack = calloc(r, sizeof(i64));
    p.waits_for = calloc(r, sizeof(i64));
    p.waiting = calloc(r, 1);
    p.failed = !p.posted || !p.ended || !p.now || !p.mark || !p.state || !p.at || !p.entered || !p.stack ||
               !p.waits_for || !p.waiting;
    if (!p.failed) {
        for (i64 k = task->ranks; k-- > 0;) p.stack[p.height++] = k;
        while (p.height > 0) follow(&p, p.stack[--p.height]);
        Date last = p.mark[syncs];
        if (syncs > 0) lengthen(&p, &last, 3, gap[syncs]);
        for (i64 k = 0; k < task->ranks; k++) later(&last, &p.now[k]);
        memcpy(result, last.part, sizeof(last.part));
    }
    void *all[] = {p.posted, p.ended, p.now, p.mark, p.state, p.at, p.entered, p.stack, p.waits_for, p.waiting};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
    return p.failed;
}

/* Longest paths whose dates are linear in three factors: of seconds per flop, of latency, of seconds per byte. Several
 * sets of factors are followed at once. A message's dates are kept from its first post to its last wait, so that what is
 * kept stays small. */

enum { LANES = 8 };

/* One number for each set of factors. */
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(16)));
typedef i64 Mask __attribute__((vector_size(LANES * sizeof(i64)), aligned(16)));

typedef struct { Lanes value, part[4]; } Dates; /* constant, compute, latency, bandwidth */

typedef struct {
    const Programs *task;
    const double *duration; /* by message: latency and bandwidth, then the greater of two further such terms */
    const double *slowness, *gap;
    Lanes factor[3];
    i64 syncs;
    int early, failed;
    Dates *now;             /* by rank */
    Dates *dates;           /* of messages and of collectives that synchronise, by slot */
    int *spare;
    i64 room, used, spares;
    int *slot, *waits;      /* by message; the waits that are still to come */
    unsigned char *sides;   /* by message: posted */
    int *mark;              /* by collective: its slot */
    i64 *uses, *entered;    /* by collective: how often its dates are still needed; the ranks that have entered */
    i64 *at, *stack, *waits_for;
    i64 height;
    unsigned char *waiting;
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
            p->failed = 1;
            return 0;
        }
        k = (int)p->used++;
    }
    p->dates[k] = *dates;
    return k;
}

static void waited(Paths *p, i64 message) {
    if (--p->waits[message] > 0 || p->sides[message] < 2) return;
    p->spare[p->spares++] = p->slot[message];
}

static void notify(Paths *p, i64 rank, i64 message) {
    if (p->waiting[rank] == CHOOSING || (p->waiting[rank] == WAITING && p->waits_for[rank] == message)) {
        p->waiting[rank] = READY;
        p->stack[p->height++] = rank;
    }
}

static void post(Paths *p, i64 rank, i64 m) {
    const Programs *t = p->task;
    if (!p->sides[m]) {
        p->sides[m] = 1;
        p->slot[m] = hold(p, &p->now[rank]);
        return;
    }
    const double *d = p->duration + 4 * m;
    Dates *end = &p->dates[p->slot[m]];
    later(end, &p->now[rank]);
    lengthen(p, end, 2, d[0]);
    lengthen(p, end, 3, d[1]);
    lengthen_by_greater(p, end, d[2], d[3]);
    p->sides[m] = 2;
    if (!p->waits[m]) p->spare[p->spares++] = p->slot[m];
    i64 source = t->source[t->pair[m]], target = t->target[t->pair[m]];
    notify(p, source, m);
    if (target != source) notify(p, target, m);
}

/* In each lane the date of one of some messages that `before` others do not exceed. */
static void nth(Paths *p, i64 rank, const i64 *messages, i64 number, i64 before) {
    for (i64 k = 0; k < number; k++) {
        if (p->sides[messages[k]] < 2) continue;
        const Dates *mine = &p->dates[p->slot[messages[k]]];
        Mask earlier = {0};
        for (i64 j = 0; j < number; j++) {
            if (p->sides[messages[j]] < 2) continue;
            const Dates *other = &p->dates[p->slot[messages[j]]];
            earlier -= (Mask)(j < k ? other->value <= mine->value : other->value < mine->value);
        }
        Mask chosen = (Mask)(earlier == before) & (Mask)(mine->value > p->now[rank].value);
        choose_lanes(&p->now[rank], mine, &chosen);
    }
}

/* Waits for some of several: whether the rank may go on. */
static int some(Paths *p, i64 rank, i64 group) {
    const Programs *t = p->task;
    const i64 *messages = t->group_message + t->group_first[group];
    i64 number = t->group_first[group + 1] - t->group_first[group], known = 0;
    for (i64 k = 0; k < number; k++) known += p->sides[messages[k]] == 2;
    i64 needed = t->group_needed[group] < number ? t->group_needed[group] : number;
    if (known < (p->early ? 0 : needed)) return 0;
    if (!p->early || known == number) nth(p, rank, messages, number, needed - 1);
    for (i64 k = 0; k < number; k++) waited(p, messages[k]);
    return 1;
}

static void used(Paths *p, i64 sync) {
    if (!--p->uses[sync]) p->spare[p->spares++] = p->mark[sync];
}

static void enter_sync(Paths *p, i64 rank, i64 sync) {
    const Dates start = {0};
    if (!p->entered[sync]) p->mark[sync + 1] = hold(p, &start);
    later(&p->dates[p->mark[sync + 1]], &p->now[rank]);
    if (++p->entered[sync] < p->task->ranks) return;
    Dates floor = sync ? p->dates[p->mark[sync]] : start;
    lengthen(p, &floor, 3, p->gap[sync]);
    later(&p->dates[p->mark[sync + 1]], &floor);
    if (sync) used(p, sync);
}

static void leave_sync(Paths *p, i64 rank, i64 sync) {
    if (p->entered[sync] == p->task->ranks) later(&p->now[rank], &p->dates[p->mark[sync + 1]]);
    used(p, sync + 1);
}

static void follow(Paths *p, i64 rank) {
    const Programs *t = p->task;
    Dates *now = &p->now[rank];
    for (; p->at[rank] < t->lengths[rank] && !p->failed; p->at[rank]++) {
        i64 operation = t->operations[rank][p->at[rank]], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
        case RECEIVE:
            post(p, rank, what);
            break;
        case SENT:
        case RECEIVED:
            if (p->sides[what] != 2) {
                p->waiting[rank] = WAITING;
                p->waits_for[rank] = what;
                return;
            }
            later(now, &p->dates[p->slot[what]]);
            waited(p, what);
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
            if (what < p->syncs) enter_sync(p, rank, what);
            break;
        case LEAVE:
            if (what < p->syncs) leave_sync(p, rank, what);
            break;
        }
    }
}

/* How many waits there are for each message. */
static void count_waits(const Programs *t, int *waits) {
    for (i64 r = 0; r < t->ranks; r++)
        for (i64 k = 0; k < t->lengths[r]; k++) {
            i64 operation = t->operations[r][k], what = operation >> SHIFT;
            if ((operation & MASK) == SENT || (operation & MASK) == RECEIVED) waits[what]++;
            if ((operation & MASK) != ANY) continue;
            for (i64 j = t->group_first[what]; j < t->group_first[what + 1]; j++) waits[t->group_message[j]]++;
        }
}

/* All paths for some factors, three per lane; `waits` by message. */
static void follow_all(Paths *p, const double *factors, i64 number, const int *waits, double *result) {
    const Programs *t = p->task;
    size_t messages = (size_t)t->messages, ranks = (size_t)t->ranks;
    for (int w = 0; w < LANES; w++)
        for (int k = 0; k < 3; k++) p->factor[k][w] = factors[3 * (w < number ? w : number - 1) + k];
    memset(p->now, 0, (ranks + 1) * sizeof(Dates));
    memset(p->sides, 0, messages);
    memset(p->waiting, 0, ranks);
    memset(p->at, 0, ranks * sizeof(i64));
    memset(p->entered, 0, (size_t)p->syncs * sizeof(i64));
    memcpy(p->waits, waits, messages * sizeof(int));
    for (i64 k = 0; k <= p->syncs; k++) p->uses[k] = t->ranks + 1;
    p->used = p->spares = 0;
    for (i64 k = t->ranks; k-- > 0;) p->stack[p->height++] = k;
    while (p->height > 0) follow(p, p->stack[--p->height]);
    if (p->failed) return;
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
 * Result: the four parts of the longest path for each of `number` sets of factors. 0, or 1 if memory ran out. */
int apet_longest(const Programs *task, const double *duration, const double *slowness, const double *gap, i64 syncs,
                 const double *factors, i64 number, int early, double *result) {
    Paths p = {.task = task, .duration = duration, .slowness = slowness, .gap = gap, .syncs = syncs, .early = early};
    size_t m = (size_t)task->messages + 1, r = (size_t)task->ranks + 1, s = (size_t)syncs + 1;
    int *waits = calloc(m, sizeof(int));
    p.now = malloc(r * sizeof(Dates));
    p.slot = malloc(m * sizeof(int));
    p.waits = malloc(m * sizeof(int));
    p.sides = malloc(m);
    p.mark = malloc(s * sizeof(int));
    p.uses = malloc(s * sizeof(i64));
    p.entered = malloc(s * sizeof(i64));
    p.at = malloc(r * sizeof(i64));
    p.stack = malloc(r * sizeof(i64));
    p.waits_for = malloc(r * sizeof(i64));
    p.waiting = malloc(r);
    p.failed = !waits || !p.now || !p.slot || !p.waits || !p.sides || !p.mark || !p.uses || !p.entered || !p.at ||
               !p.stack || !p.waits_for || !p.waiting;
    if (!p.failed) count_waits(task, waits);
    for (i64 k = 0; k < number && !p.failed; k += LANES)
        follow_all(&p, factors + 3 * k, number - k < LANES ? number - k : LANES, waits, result + 4 * k);
    void *all[] = {waits,  p.now,     p.dates, p.spare, p.slot,      p.waits,  p.sides,
                   p.mark, p.uses, p.entered, p.at,    p.stack, p.waits_for, p.waiting};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
    return p.failed;
}

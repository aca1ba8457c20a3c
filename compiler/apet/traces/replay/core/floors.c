/* What raises early dates: a link is a machine that works off flows as they are released. As floors.py. */

enum { MOST_BLOCKS = 64 };

typedef struct {
    double moment;
    i64 syncs, links;
    const double *latency, *volume;  /* by message */
    const i64 *own_first, *own_link; /* by pair: first and last link of its path ... */
    const double *own_each;          /* ... and seconds per byte over the factor */
    const i64 *first_use, *link;     /* by message: its uses of links */
    const double *share;
    const double *capacity;          /* by link */
    const i64 *shared;
} Loads;

typedef struct { double start, end; } Block;

/* One machine: its busy periods, the last ones only. */
typedef struct {
    i64 link, number, room;
    Block *blocks;
} Machine;

typedef struct {
    Machine *items;
    i64 number, room;
} Machines;

typedef struct {
    double released;
    i64 message;
} Job;

typedef struct {
    const Programs *task;
    const Loads *given;
    const double *began;
    Machines *machines;         /* by rank */
    i64 *epoch;
    i64 *entered, *done, *next; /* by collective; lists of messages by epoch */
    double *floor;              /* by collective; below 0: not known yet */
    Job *jobs;
    double *ahead;              /* by link, in the turn that was its last */
    i64 *turn, turns;
    int failed;
} Floors;

/* Fills in period k with work, which may reach those after it. */
static void fill(Machine *m, i64 k, double work) {
    Block *b = m->blocks;
    b[k].end += work;
    while (k + 1 < m->number && b[k].end >= b[k + 1].start) {
        b[k + 1].end += b[k].end - b[k + 1].start;
        b[k + 1].start = b[k].start;
        m->number--;
        memmove(b + k, b + k + 1, (size_t)(m->number - k) * sizeof(Block));
    }
}

/* Takes in a job, where there is room for one; when all jobs so far can be done. */
static double take_in(Machine *m, double release, double work) {
    Block *b = m->blocks;
    i64 k = m->number - 1;
    if (k < 0 || release >= b[k].end) {
        b[m->number++] = (Block){release, release + work};
        if (m->number > MOST_BLOCKS) memmove(b, b + 1, (size_t)--m->number * sizeof(Block));
        return b[m->number - 1].end;
    }
    while (k >= 0 && b[k].start > release) k--;
    if (k < 0 || release >= b[k].end) {
        k++;
        memmove(b + k + 1, b + k, (size_t)(m->number++ - k) * sizeof(Block));
        b[k] = (Block){release, release};
    }
    fill(m, k, work);
    return b[m->number - 1].end;
}

/* A rank's machine for a link, with room for one more period; NULL if memory ran out. */
static Machine *machine_of(Floors *f, i64 rank, i64 link) {
    Machines *own = &f->machines[rank];
    i64 k = 0;
    while (k < own->number && own->items[k].link != link) k++;
    if (k == own->number) {
        if (!grow((void **)&own->items, own->number, &own->room, sizeof(Machine))) return NULL;
        own->items[own->number++] = (Machine){.link = link};
    }
    Machine *found = &own->items[k];
    return grow((void **)&found->blocks, found->number, &found->room, sizeof(Block)) ? found : NULL;
}

/* A rank has waited for a message until a date; the date from which it goes on. */
static double floor_waited(Floors *f, i64 rank, i64 m, double date, int sent) {
    const Programs *t = f->task;
    const Loads *g = f->given;
    i64 pair = t->pair[m];
    if (!sent) {
        f->next[m] = f->done[f->epoch[rank]];
        f->done[f->epoch[rank]] = m;
    } else if (t->source[pair] == t->target[pair]) {
        return date; /* as its receiver, the rank counts it already */
    }
    double release = f->began[m] + g->latency[m] - g->moment;
    for (i64 k = g->own_first[pair]; k < g->own_first[pair + 1]; k++) {
        double work = g->volume[m] * g->own_each[k] - g->moment;
        Machine *machine = machine_of(f, rank, g->own_link[k]);
        if (!machine) {
            f->failed = 1;
            return date;
        }
        double end = take_in(machine, release, work > 0 ? work : 0);
        if (end > date) date = end;
    }
    return date;
}

static void floor_enter(Floors *f, i64 rank, i64 sync) {
    if (sync >= f->given->syncs) return;
    f->epoch[rank] = sync + 1;
    f->entered[sync]++;
}

static int later_first(const void *one, const void *other) {
    double a = ((const Job *)one)->released, b = ((const Job *)other)->released;
    return (a < b) - (a > b);
}

/* When the busiest link can have carried the first `number` jobs. */
static double carried(Floors *f, i64 number) {
    const Loads *g = f->given;
    double found = -INFINITY;
    if (number < 2) return 0;
    f->turns++;
    qsort(f->jobs, (size_t)number, sizeof(Job), later_first);
    for (i64 k = 0; k < number; k++) {
        i64 m = f->jobs[k].message;
        for (i64 use = g->first_use[m]; use < g->first_use[m + 1]; use++) {
            i64 link = g->link[use];
            if (!g->shared[link]) continue;
            double work = g->volume[m] * g->share[use] / g->capacity[link] - g->moment;
            if (f->turn[link] != f->turns) f->ahead[link] = 0;
            f->turn[link] = f->turns;
            if (work > 0) f->ahead[link] += work;
            double end = f->jobs[k].released + f->ahead[link];
            if (end > found) found = end;
        }
    }
    return found > 0 ? found : 0;
}

static Job job_of(const Floors *f, i64 m) {
    return (Job){f->began[m] + f->given->latency[m] - f->given->moment, m};
}

/* A rank ends a collective: all ranks have begun it, and waited for what they had before. */
static double floor_leave(Floors *f, i64 sync, double date) {
    if (sync >= f->given->syncs || f->entered[sync] < f->task->ranks) return date;
    if (f->floor[sync] < 0) {
        i64 number = 0;
        for (i64 m = f->done[sync]; m >= 0; m = f->next[m]) f->jobs[number++] = job_of(f, m);
        f->floor[sync] = carried(f, number);
    }
    return f->floor[sync] > date ? f->floor[sync] : date;
}

/* When the busiest link can have carried all messages that begin. */
static double floor_of_all(Floors *f) {
    i64 number = 0;
    for (i64 m = 0; m < f->task->messages; m++)
        if (f->began[m] >= 0) f->jobs[number++] = job_of(f, m);
    return carried(f, number);
}

static void floors_end(Floors *f) {
    for (i64 r = 0; f->machines && r < f->task->ranks; r++) {
        for (i64 k = 0; k < f->machines[r].number; k++) free(f->machines[r].items[k].blocks);
        free(f->machines[r].items);
    }
    void *all[] = {f->machines, f->epoch, f->entered, f->done, f->next, f->floor, f->jobs, f->ahead, f->turn};
    for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) free(all[k]);
}

/* 1 if memory ran out; to be ended in any case. */
static int floors_begin(Floors *f, const Programs *task, const Loads *given, const double *began) {
    *f = (Floors){.task = task, .given = given, .began = began};
    size_t ranks = (size_t)task->ranks + 1, messages = (size_t)task->messages + 1, links = (size_t)given->links + 1;
    size_t syncs = (size_t)given->syncs + 1;
    f->machines = calloc(ranks, sizeof(Machines));
    f->epoch = calloc(ranks, sizeof(i64));
    f->entered = calloc(syncs, sizeof(i64));
    f->done = malloc(syncs * sizeof(i64));
    f->next = malloc(messages * sizeof(i64));
    f->floor = malloc(syncs * sizeof(double));
    f->jobs = malloc(messages * sizeof(Job));
    f->ahead = calloc(links, sizeof(double));
    f->turn = calloc(links, sizeof(i64));
    if (!f->machines || !f->epoch || !f->entered || !f->done || !f->next || !f->floor || !f->jobs) return 1;
    if (!f->ahead || !f->turn) return 1;
    for (size_t k = 0; k < syncs; k++) {
        f->done[k] = -1;
        f->floor[k] = -1;
    }
    return 0;
}

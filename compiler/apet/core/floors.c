/* What raises early dates: a link is a machine that works off flows as they are released. */

#include "floors.h"

enum { MOST_BLOCKS = 64, MOST_FORGOTTEN = 512 };

/* Fills in period k with work, which may reach those after it. */
static void fill_in(Machine *m, i64 k, double work) {
    Block *b = m->blocks + m->first;
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
    Block *b = m->blocks + m->first;
    i64 k = m->number - 1;

    if (k < 0 || release >= b[k].end) {
        b[m->number] = (Block){release, release + work};
        if (m->number < MOST_BLOCKS) m->number++;
        else m->first++;
        return release + work;
    }

    while (k >= 0 && b[k].start > release) k--;
    if (k < 0 || release >= b[k].end) {
        k++;
        memmove(b + k + 1, b + k, (size_t)(m->number++ - k) * sizeof(Block));
        b[k] = (Block){release, release};
    }

    fill_in(m, k, work);
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
    Machine *machine = &own->items[k];
    if (machine->first == MOST_FORGOTTEN) { /* seldom: a period that is forgotten moves nothing */
        memmove(machine->blocks, machine->blocks + machine->first, (size_t)machine->number * sizeof(Block));
        machine->first = 0;
    }
    i64 used = machine->first + machine->number;
    return grow((void **)&machine->blocks, used, &machine->room, sizeof(Block)) ? machine : NULL;
}

/* When a rank's machines have carried a message, too. */
static double carries(Floors *f, i64 rank, i64 m, double date) {
    const Loads *g = f->loads;
    i64 pair = f->task->pair[m];

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

double floor_waited(Floors *f, i64 rank, i64 m, double date, int sent) {
    const Programs *t = f->task;
    i64 pair = t->pair[m];

    if (!sent) {
        f->next[m] = f->done[f->epoch[rank]];
        f->done[f->epoch[rank]] = m;
    } else if (t->source[pair] == t->target[pair] || f->counted[m]) {
        return date; /* the rank counts it already */
    } else {
        f->counted[m] = 1;
    }

    return carries(f, rank, m, date);
}

double floor_learned(Floors *f, i64 rank, i64 m, double date, int sent) {
    const Programs *t = f->task;
    const Loads *g = f->loads;
    i64 stage = g->arrivals ? g->stage[2 * m + sent] : NONE; /* of the other side */

    for (i64 q = 0; stage >= 0 && q < t->ranks; q++) {
        if (q == rank) continue; /* it has waited for those */
        i64 *at = &f->at[rank * t->ranks + q], end = g->arrives[rank * (t->ranks + 1) + q + 1];
        int seen = g->seen[stage * t->ranks + q];
        for (; *at < end && g->ended[2 * g->arrival[*at] + 1] <= seen; ++*at) {
            i64 over = g->arrival[*at], own = t->source[t->pair[over]] == rank;
            if (own && f->counted[over]) continue;
            if (own) f->counted[over] = 1;
            date = carries(f, rank, over, date);
        }
    }

    return date;
}

void floor_enter(Floors *f, i64 rank, i64 sync) {
    if (sync >= f->loads->syncs) return;
    f->epoch[rank] = sync + 1;
    f->entered[sync]++;
}

static int later_first(const void *one, const void *other) {
    double a = ((const Job *)one)->released, b = ((const Job *)other)->released;
    return (a < b) - (a > b);
}

/* When the busiest link can have carried the first `number` jobs. */
static double carried(Floors *f, i64 number) {
    const Loads *g = f->loads;
    double end_of_all = -INFINITY;

    if (number < 2) return 0;
    f->turns++;
    qsort(f->jobs, (size_t)number, sizeof(Job), later_first);
    for (i64 k = 0; k < number; k++) {
        i64 m = f->jobs[k].message, pair = f->task->pair[m];
        for (i64 use = g->first_use[pair]; use < g->first_use[pair + 1]; use++) {
            i64 link = g->link[use];
            if (!g->shared[link]) continue;
            double work = g->volume[m] * g->share[use] / g->capacity[link] - g->moment;
            if (f->turn[link] != f->turns) f->ahead[link] = 0;
            f->turn[link] = f->turns;
            if (work > 0) f->ahead[link] += work;
            double end = f->jobs[k].released + f->ahead[link];
            if (end > end_of_all) end_of_all = end;
        }
    }

    return end_of_all > 0 ? end_of_all : 0;
}

static Job job_of(const Floors *f, i64 m) {
    return (Job){f->began[m] + f->loads->latency[m] - f->loads->moment, m};
}

double floor_leave(Floors *f, i64 sync, double date) {
    if (sync >= f->loads->syncs || f->entered[sync] < f->task->ranks) return date;
    if (f->floor[sync] < 0) {
        i64 number = 0;
        for (i64 m = f->done[sync]; m >= 0; m = f->next[m]) f->jobs[number++] = job_of(f, m);
        f->floor[sync] = carried(f, number);
    }
    return f->floor[sync] > date ? f->floor[sync] : date;
}

double floor_of_all(Floors *f) {
    i64 number = 0;
    for (i64 m = 0; m < f->task->messages; m++)
        if (f->began[m] >= 0) f->jobs[number++] = job_of(f, m);
    return carried(f, number);
}

void floors_end(Floors *f) {
    for (i64 r = 0; f->machines && r < f->task->ranks; r++) {
        for (i64 k = 0; k < f->machines[r].number; k++) free(f->machines[r].items[k].blocks);
        free(f->machines[r].items);
    }
    void *all[] = {f->machines, f->epoch, f->entered, f->done, f->next, f->floor,
                   f->jobs, f->ahead, f->turn, f->at, f->counted};
    for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) free(all[k]);
}

int floors_begin(Floors *f, const Programs *task, const Loads *loads, const double *began) {
    *f = (Floors){.task = task, .loads = loads, .began = began};
    f->machines = zeroed(&f->failed, task->ranks, sizeof(Machines));
    f->epoch = zeroed(&f->failed, task->ranks, sizeof(i64));
    f->entered = zeroed(&f->failed, loads->syncs + 1, sizeof(i64));
    f->done = zeroed(&f->failed, loads->syncs + 1, sizeof(i64));
    f->next = zeroed(&f->failed, task->messages, sizeof(i64));
    f->floor = zeroed(&f->failed, loads->syncs + 1, sizeof(double));
    f->jobs = zeroed(&f->failed, task->messages, sizeof(Job));
    f->ahead = zeroed(&f->failed, loads->links, sizeof(double));
    f->turn = zeroed(&f->failed, loads->links, sizeof(i64));
    f->at = zeroed(&f->failed, task->ranks * task->ranks, sizeof(i64));
    f->counted = zeroed(&f->failed, task->messages, 1);
    if (f->failed) return 1;
    for (i64 r = 0; loads->arrivals && r < task->ranks; r++)
        memcpy(f->at + r * task->ranks, loads->arrives + r * (task->ranks + 1), (size_t)task->ranks * sizeof(i64));

    for (i64 k = 0; k <= loads->syncs; k++) {
        f->done[k] = NONE;
        f->floor[k] = -1;
    }

    return 0;
}

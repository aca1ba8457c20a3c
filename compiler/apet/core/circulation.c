/* Jobs with precedence that circulate over stations, event by event with random demands.
 *
 * The caller owns all arrays, so that a simulation may be stopped and continued at any event, and nothing here allocates.
 * Stations are numbered from 0; jobs think at one more, `stations`. Each keeps the tasks that it serves in a heap by what
 * decides who ends next: the date of the end, or, where all share the servers, the service that a task which is always
 * there has been given at that end. */

#include "core.h"

/* How a station serves, and how a time varies, as in simulation.py. */
enum { SHARING, IN_ORDER, UNLIMITED, LAST_FIRST };
enum { CONSTANT_TIME, ERLANG_TIME, MIXED_TIME };

static const double LN2 = 0.69314718055994530942;

static inline u64 turned(u64 x, int by) { return x << by | x >> (64 - by); }

/* A number in (0, 1]: xoshiro256+ (D. Blackman and S. Vigna, 2018). */
static double uniform(const Circulating *s) {
    u64 *r = (u64 *)s->random, result = r[0] + r[3], t = r[1] << 17;
    r[2] ^= r[0];
    r[3] ^= r[1];
    r[1] ^= r[2];
    r[0] ^= r[3];
    r[2] ^= t;
    r[3] = turned(r[3], 45);
    return ((double)(result >> 11) + 1.0) * 0x1p-53;
}

/* -ln u for u in (0, 1], by ln m = 2 artanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt(2)): the same bits everywhere, unlike
 * that of the C library, so that a seed gives one answer on all machines. */
static double minus_log(double u) {
    int exponent;
    double m = frexp(u, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    double z = (m - 1) / (m + 1), q = z * z;
    double sum = 1.0 / 17;
    for (int k = 15; k >= 1; k -= 2) sum = 1.0 / k + q * sum;
    return -(exponent * LN2 + 2 * z * sum);
}

/* A random time of this mean and shape. */
static double drawn(const Circulating *s, double mean, i64 shape) {
    switch (s->shape[shape]) {
    case CONSTANT_TIME: return mean;
    case MIXED_TIME: {
        double p = s->share[shape], part = uniform(s) <= p ? p : 1 - p;
        return minus_log(uniform(s)) * mean / (2 * part);
    }
    }
    i64 order = s->order[shape];
    double sum = 0;
    for (i64 k = 0; k < order; k++) sum += minus_log(uniform(s));
    return sum * mean / (double)order;
}

/* How fast each task is served that shares a station. */
static inline double speed(const Circulating *s, i64 k) {
    double servers = (double)s->servers[k], number = (double)s->serving[k];
    return number > servers ? servers / number : 1.0;
}

/* Counts the time since the last change of a station. */
static void forward(Circulating *s, i64 k) {
    double pause = s->now - s->last[k];
    i64 number = s->serving[k];
    s->last[k] = s->now;
    if (!number) {
        s->served[k] = 0;
        return;
    }
    s->work[k] += pause * (double)(number < s->servers[k] ? number : s->servers[k]);
    if (s->discipline[k] == SHARING) s->served[k] += pause * speed(s, k);
}

/* Sets the date of the next end at a station. */
static void schedule(Circulating *s, i64 k) {
    if (!s->serving[k]) {
        s->next[k] = INFINITY;
        return;
    }
    double key = s->key[k * s->room];
    if (s->discipline[k] == SHARING) {
        double left = key - s->served[k];
        key = s->now + (left > 0 ? left / speed(s, k) : 0.0);
    }
    s->next[k] = key;
}

static inline int before(const double *key, const i64 *turn, i64 a, i64 b) {
    return key[a] < key[b] || (key[a] == key[b] && turn[a] < turn[b]);
}

/* Puts a task into the heap of a station. */
static void push(Circulating *s, i64 k, double at, i64 task) {
    double *key = s->key + k * s->room;
    i64 *turn = s->turn + k * s->room, *who = s->who + k * s->room;
    i64 place = s->serving[k]++, number = s->pushed++;
    while (place) {
        i64 above = (place - 1) / 2;
        if (key[above] <= at) break;
        key[place] = key[above];
        turn[place] = turn[above];
        who[place] = who[above];
        place = above;
    }
    key[place] = at;
    turn[place] = number;
    who[place] = task;
}

/* Takes the task that ends next out of the heap of a station. */
static i64 pop(Circulating *s, i64 k) {
    double *key = s->key + k * s->room;
    i64 *turn = s->turn + k * s->room, *who = s->who + k * s->room;
    i64 first = who[0], number = --s->serving[k], place = 0;
    for (;;) {
        i64 below = 2 * place + 1;
        if (below >= number) break;
        if (below + 1 < number && before(key, turn, below + 1, below)) below++;
        if (!before(key, turn, below, number)) break;
        key[place] = key[below];
        turn[place] = turn[below];
        who[place] = who[below];
        place = below;
    }
    key[place] = key[number];
    turn[place] = turn[number];
    who[place] = who[number];
    return first;
}

/* Counts the time that a class has had its tasks at a station, of which there are then more or fewer. */
static inline void count(Circulating *s, i64 c, i64 k, i64 more) {
    i64 place = c * (s->stations + 1) + k;
    s->area[place] += (s->now - s->changed[place]) * (double)s->inside[place];
    s->changed[place] = s->now;
    s->inside[place] += more;
}

/* A task (job * tasks + task) comes to a station with a demand. */
static void come(Circulating *s, i64 k, i64 task, double demand) {
    forward(s, k);
    count(s, s->owner[task / s->tasks], k, 1);
    i64 *line = s->line + k * s->room;
    switch (s->discipline[k]) {
    case SHARING:
        push(s, k, s->served[k] + demand, task);
        break;
    case UNLIMITED:
        push(s, k, s->now + demand, task);
        break;
    case LAST_FIRST:
        if (s->serving[k]) { /* what is in service goes on later where it stops */
            double left = s->key[k * s->room] - s->now;
            i64 stopped = pop(s, k);
            s->left_over[stopped] = left > 0 ? left : 0;
            line[s->waiting[k]++] = stopped;
        }
        push(s, k, s->now + demand, task);
        break;
    default:
        if (s->serving[k] < s->servers[k])
            push(s, k, s->now + demand, task);
        else {
            s->left_over[task] = demand;
            line[(s->head[k] + s->waiting[k]++) % s->room] = task;
        }
    }
    schedule(s, k);
}

/* The task that ends now at a station; the next one begins. */
static i64 go(Circulating *s, i64 k) {
    forward(s, k);
    i64 task = pop(s, k), *line = s->line + k * s->room, next = NONE;
    count(s, s->owner[task / s->tasks], k, -1);
    if (s->waiting[k] && s->discipline[k] == LAST_FIRST)
        next = line[--s->waiting[k]];
    else if (s->waiting[k]) {
        next = line[s->head[k]];
        s->head[k] = (s->head[k] + 1) % s->room;
        s->waiting[k]--;
    }
    if (next != NONE) push(s, k, s->now + s->left_over[next], next);
    schedule(s, k);
    return task;
}

static void begin_step(Circulating *s, i64 instance, i64 step) {
    come(s, s->step_station[step], instance, drawn(s, s->step_mean[step], s->step_shape[step]));
}

/* Thinks before the next job. */
static void think(Circulating *s, i64 job) {
    i64 c = s->owner[job];
    come(s, s->stations, job * s->tasks, drawn(s, s->think[c], s->think_shape[c]));
}

/* Tasks in `ready` begin; those without steps are done at once, and may make others ready. */
static void start(Circulating *s, i64 job, i64 ready) {
    for (i64 at = 0; at < ready; at++) {
        i64 task = s->ready[at], instance = job * s->tasks + task - s->variant_first[s->variant[job]];
        s->began[instance] = s->now;
        if (s->step_first[task] < s->step_first[task + 1]) {
            s->step[instance] = s->step_first[task];
            continue;
        }
        s->left[job]--;
        for (i64 j = s->after_first[task]; j < s->after_first[task + 1]; j++) {
            i64 other = s->after[j], place = job * s->tasks + other - s->variant_first[s->variant[job]];
            if (!--s->missing[place]) s->ready[ready++] = other;
        }
    }
    for (i64 at = 0; at < ready; at++) {
        i64 task = s->ready[at], instance = job * s->tasks + task - s->variant_first[s->variant[job]];
        if (s->step_first[task] < s->step_first[task + 1]) begin_step(s, instance, s->step[instance]);
    }
}

/* A job is done: 1 where there is no more room for response times of its class. */
static int done(Circulating *s, i64 job) {
    i64 c = s->owner[job];
    s->response[c * s->responses + s->ended[c]++] = s->now - s->born[job];
    think(s, job);
    return s->ended[c] >= s->responses;
}

/* A new job begins. */
static int arise(Circulating *s, i64 job) {
    i64 c = s->owner[job], v = s->class_first[c], ready = 0;
    if (v + 1 < s->class_first[c + 1]) {
        double u = uniform(s);
        while (v + 1 < s->class_first[c + 1] && u > s->chance[v]) v++;
    }
    s->variant[job] = v;
    s->born[job] = s->now;
    i64 first = s->variant_first[v], number = s->variant_first[v + 1] - first;
    s->left[job] = number;
    for (i64 t = 0; t < number; t++) {
        s->missing[job * s->tasks + t] = s->before[first + t];
        if (!s->before[first + t]) s->ready[ready++] = first + t;
    }
    start(s, job, ready);
    return s->left[job] ? 0 : done(s, job);
}

/* A task ends a step. */
static int step_on(Circulating *s, i64 instance) {
    i64 job = instance / s->tasks, first = s->variant_first[s->variant[job]];
    i64 task = first + instance % s->tasks, step = ++s->step[instance];
    if (step < s->step_first[task + 1]) {
        begin_step(s, instance, step);
        return 0;
    }
    s->task_seconds[task] += s->now - s->began[instance];
    s->task_count[task]++;
    s->left[job]--;
    i64 ready = 0;
    for (i64 j = s->after_first[task]; j < s->after_first[task + 1]; j++)
        if (!--s->missing[job * s->tasks + s->after[j] - first]) s->ready[ready++] = s->after[j];
    if (ready) start(s, job, ready);
    return s->left[job] ? 0 : done(s, job);
}

/* Puts all jobs where they think; `random` holds the seed. */
EXPORT void apet_circulation_begin(Circulating *s) {
    for (i64 k = 0; k <= s->stations; k++) s->next[k] = INFINITY;
    for (i64 job = 0; job < s->jobs; job++) think(s, job);
}

/* Follows at most so many events; how many there were. It stops where the response times of a class fill their room. */
EXPORT i64 apet_circulation_run(Circulating *s, i64 events) {
    i64 number = 0;
    for (int full = 0; number < events && !full; number++) {
        i64 k = 0;
        for (i64 other = 1; other <= s->stations; other++)
            if (s->next[other] < s->next[k]) k = other;
        if (s->next[k] == INFINITY) break;
        if (s->next[k] > s->now) s->now = s->next[k];
        i64 instance = go(s, k);
        full = k == s->stations ? arise(s, instance / s->tasks) : step_on(s, instance);
    }
    for (i64 k = 0; k <= s->stations; k++) {
        forward(s, k);
        for (i64 c = 0; c < s->classes; c++) count(s, c, k, 0);
    }
    return number;
}

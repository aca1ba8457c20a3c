/* Stations of a simulation: who is served, who waits, who ends next; and random times.
 *
 * Stations are numbered from 0; jobs think at one more, `stations`. Each keeps the tasks that it serves in a heap by what
 * decides who ends next: the date of the end, or, where all share the servers, the service that a task which is always
 * there has been given at that end. */

#include "stations.h"

/* How a station serves, and how a time varies, as in simulation.py. */
enum { SHARING, IN_ORDER, UNLIMITED, LAST_FIRST, BY_RANK, RANK_FIRST };
enum { CONSTANT_TIME, ERLANG_TIME, MIXED_TIME, MEASURED_TIME };

static const double LN2 = 0.69314718055994530942;

static inline u64 turned(u64 x, int by) { return x << by | x >> (64 - by); }

/* A number in (0, 1]: xoshiro256+ (D. Blackman and S. Vigna, 2018). */
double uniform(const Circulating *s) {
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
double drawn(const Circulating *s, double mean, i64 shape) {
    switch (s->shape[shape]) {
    case CONSTANT_TIME: return mean;
    case MEASURED_TIME: {
        i64 first = s->value_first[shape], number = s->value_first[shape + 1] - first;
        return mean * s->values[first + (i64)ceil(uniform(s) * (double)number) - 1];
    }
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
static void count(Circulating *s, i64 c, i64 k, i64 more) {
    i64 place = c * (s->stations + 1) + k;
    s->area[place] += (s->now - s->changed[place]) * (double)s->inside[place];
    s->changed[place] = s->now;
    s->inside[place] += more;
}

/* The task in service at a single server stops; it goes on later where it stops. */
static i64 interrupted(Circulating *s, i64 k) {
    double left = s->key[k * s->room] - s->now;
    i64 task = pop(s, k);
    s->left_over[task] = left > 0 ? left : 0;
    return task;
}

static inline i64 rank_of(const Circulating *s, i64 task) { return s->rank[s->owner[task / s->tasks]]; }

/* A task waits behind those of its rank, or before them if it has been in service. */
static void wait_in_rank(Circulating *s, i64 k, i64 task, int in_front) {
    i64 place = k * s->ranks + rank_of(s, task), first = s->rank_first[place];
    s->waiting[k]++;
    s->link[task] = in_front ? first : NONE;
    if (in_front || first == NONE) s->rank_first[place] = task;
    if (!in_front && first != NONE) s->link[s->rank_last[place]] = task;
    if (!in_front || first == NONE) s->rank_last[place] = task;
}

/* The longest waiting task of the best rank. */
static i64 best_ranked(Circulating *s, i64 k) {
    i64 place = k * s->ranks;
    while (s->rank_first[place] == NONE) place++;
    i64 task = s->rank_first[place];
    s->rank_first[place] = s->link[task];
    s->waiting[k]--;
    return task;
}

/* A task comes to a station that serves by rank. */
static void come_ranked(Circulating *s, i64 k, i64 task, double demand) {
    int stops = s->discipline[k] == RANK_FIRST && s->serving[k] && rank_of(s, task) < rank_of(s, s->who[k * s->room]);
    if (stops) wait_in_rank(s, k, interrupted(s, k), 1);
    if (s->serving[k] < s->servers[k])
        push(s, k, s->now + demand, task);
    else {
        s->left_over[task] = demand;
        wait_in_rank(s, k, task, 0);
    }
}

/* A task (job * tasks + task) comes to a station with a demand. */
void come(Circulating *s, i64 k, i64 task, double demand) {
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
        if (s->serving[k]) line[s->waiting[k]++] = interrupted(s, k);
        push(s, k, s->now + demand, task);
        break;
    case BY_RANK:
    case RANK_FIRST: come_ranked(s, k, task, demand); break;
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
i64 go(Circulating *s, i64 k) {
    forward(s, k);
    i64 task = pop(s, k), *line = s->line + k * s->room, next = NONE;
    count(s, s->owner[task / s->tasks], k, -1);
    if (s->waiting[k] && s->discipline[k] == LAST_FIRST)
        next = line[--s->waiting[k]];
    else if (s->waiting[k] && s->discipline[k] >= BY_RANK)
        next = best_ranked(s, k);
    else if (s->waiting[k]) {
        next = line[s->head[k]];
        s->head[k] = (s->head[k] + 1) % s->room;
        s->waiting[k]--;
    }
    if (next != NONE) push(s, k, s->now + s->left_over[next], next);
    schedule(s, k);
    return task;
}

i64 earliest(Circulating *s) {
    i64 k = 0;
    for (i64 other = 1; other <= s->stations; other++)
        if (s->next[other] < s->next[k]) k = other;
    if (s->next[k] > s->now && s->next[k] < INFINITY) s->now = s->next[k];
    return k;
}

void settle_stations(Circulating *s) {
    for (i64 k = 0; k <= s->stations; k++) {
        forward(s, k);
        for (i64 c = 0; c < s->classes; c++) count(s, c, k, 0);
    }
}

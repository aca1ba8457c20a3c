/* Jobs with precedence that circulate over stations, event by event with random demands.
 *
 * The caller owns all arrays, so that a simulation may be stopped and continued at any event, and nothing here allocates.
 * Jobs of open classes take one of the places that the caller provides; the first of these is the source of the class. */

#include "stations.h"

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

/* A job is over: one that circulates thinks, one that came from outside leaves its place to another. */
static void rest(Circulating *s, i64 job) {
    i64 c = s->owner[job];
    if (!s->opened[c]) {
        think(s, job);
        return;
    }
    s->next_job[job] = s->spare[c];
    s->spare[c] = job;
}

/* A job is done, and leaves its pool: 1 where there is no more room for response times of its class. */
static int finish(Circulating *s, i64 job) {
    i64 c = s->owner[job];
    if (s->ended[c] < s->responses) s->response[c * s->responses + s->ended[c]++] = s->now - s->born[job];
    if (s->pool[c] != NONE) s->pool_inside[s->pool[c]]--;
    rest(s, job);
    return s->ended[c] >= s->responses;
}

/* A job begins its first tasks; 1 as `finish` where there are none. */
static int enter(Circulating *s, i64 job) {
    i64 c = s->owner[job], v = s->class_first[c], ready = 0;
    s->outside[c] += s->now - s->born[job];
    if (v + 1 < s->class_first[c + 1]) {
        double u = uniform(s);
        while (v + 1 < s->class_first[c + 1] && u > s->chance[v]) v++;
    }
    s->variant[job] = v;
    i64 first = s->variant_first[v], number = s->variant_first[v + 1] - first;
    s->left[job] = number;
    for (i64 t = 0; t < number; t++) {
        s->missing[job * s->tasks + t] = s->before[first + t];
        if (!s->before[first + t]) s->ready[ready++] = first + t;
    }
    start(s, job, ready);
    return s->left[job] ? 0 : finish(s, job);
}

/* A job is done, and those that wait for its place in a pool enter: one, or several that have nothing to do there. */
static int done(Circulating *s, i64 job) {
    i64 pool = s->pool[s->owner[job]];
    int full = finish(s, job);
    while (pool != NONE && s->pool_waiting[pool] && s->pool_inside[pool] < s->pool_size[pool]) {
        i64 next = s->pool_first[pool];
        s->pool_first[pool] = s->next_job[next];
        s->pool_waiting[pool]--;
        s->pool_inside[pool]++;
        full |= enter(s, next);
    }
    return full;
}

/* A new job begins, or waits for a place in its pool, or is refused where too many wait. */
static int arise(Circulating *s, i64 job) {
    i64 c = s->owner[job], pool = s->pool[c];
    s->born[job] = s->now;
    if (pool == NONE || s->pool_inside[pool] < s->pool_size[pool]) {
        if (pool != NONE) s->pool_inside[pool]++;
        return enter(s, job);
    }
    if (s->pool_waiting[pool] >= s->pool_backlog[pool]) {
        s->refused[c]++;
        rest(s, job);
        return 0;
    }
    if (s->pool_waiting[pool]++)
        s->next_job[s->pool_last[pool]] = job;
    else
        s->pool_first[pool] = job;
    s->pool_last[pool] = job;
    return 0;
}

/* The source of an open class lets a job arise, where there is a place, and waits for the time of the next. */
static int arrive(Circulating *s, i64 source) {
    i64 c = s->owner[source], job = s->spare[c];
    think(s, source);
    if (job == NONE) {
        s->overflow++;
        return 0;
    }
    s->spare[c] = s->next_job[job];
    return arise(s, job);
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

/* Puts all jobs where they think, of open classes the first one, their source; `random` holds the seed. */
EXPORT void apet_circulation_begin(Circulating *s) {
    for (i64 k = 0; k <= s->stations; k++) s->next[k] = INFINITY;
    for (i64 k = 0; k < s->stations * s->ranks; k++) s->rank_first[k] = NONE;
    for (i64 c = 0; c < s->classes; c++) s->spare[c] = NONE;
    for (i64 job = 0; job < s->jobs; job++) {
        int is_first = !job || s->owner[job - 1] != s->owner[job];
        if (is_first)
            think(s, job);
        else
            rest(s, job);
    }
}

/* Follows at most so many events; how many there were. It stops where the response times of a class fill their room. */
EXPORT i64 apet_circulation_run(Circulating *s, i64 events) {
    i64 number = 0;
    for (int full = 0; number < events && !full; number++) {
        i64 k = earliest(s);
        if (s->next[k] == INFINITY) break;
        i64 instance = go(s, k);
        i64 job = instance / s->tasks;
        if (k < s->stations)
            full = step_on(s, instance);
        else
            full = s->opened[s->owner[job]] ? arrive(s, job) : arise(s, job);
    }
    settle_stations(s);
    return number;
}

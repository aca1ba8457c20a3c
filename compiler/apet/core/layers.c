/* Layered queues, event by event: processes of tasks serve requests, and wait while others serve theirs.
 *
 * Processors are the stations of `Circulating`, whose jobs are processes, whose classes are tasks, and whose tasks are the
 * threads of a process. A thread that waits for an answer is in no queue but that of its request: requests that wait for
 * answers have the number of their thread, others one above all threads. What can go on stands in an agenda. */

#include "stations.h"

/* Where a thread is in its activity. */
enum { AT_PAUSE, AT_SLICE, AT_CALL };

static void note_ready(Layers *l, i64 thread) { l->agenda[l->agenda_size++] = thread; }

/* One of the threads that may go on, at random: who asks for a processor at one instant comes in no certain order. */
static i64 next_ready(Circulating *s, Layers *l) {
    i64 at = l->agenda_size > 1 ? (i64)(uniform(s) * (double)l->agenda_size) % l->agenda_size : 0;
    i64 thread = l->agenda[at];
    l->agenda[at] = l->agenda[--l->agenda_size];
    return thread;
}

/* Counts the time since the last change of a task, then that requests are there, or in service. */
static void tally(Circulating *s, Layers *l, i64 task, i64 present, i64 busy) {
    double pause = s->now - l->changed[task];
    l->present_area[task] += pause * (double)l->present[task];
    l->busy_area[task] += pause * (double)l->busy[task];
    l->changed[task] = s->now;
    l->present[task] += present;
    l->busy[task] += busy;
}

/* A process takes a request, and begins the first activity of its entry. */
static void serve(Circulating *s, Layers *l, i64 process, i64 request) {
    i64 thread = process * s->tasks;
    tally(s, l, s->owner[process], 0, 1);
    l->request[process] = request;
    l->live[process] = 1;
    l->activity[thread] = l->start[l->entry[request]];
    l->at[thread] = AT_PAUSE;
    l->made[thread] = 0;
    note_ready(l, thread);
}

/* A request comes to the task of its entry. */
static void ask(Circulating *s, Layers *l, i64 request, i64 entry) {
    i64 task = l->task_of[entry], process = l->idle[task];
    l->entry[request] = entry;
    l->sent[request] = s->now;
    tally(s, l, task, 1, 0);
    if (process != NONE) {
        l->idle[task] = s->next_job[process];
        serve(s, l, process, request);
        return;
    }
    s->overflow += l->is_unlimited[task];
    l->behind[request] = NONE;
    if (l->first[task] == NONE)
        l->first[task] = request;
    else
        l->behind[l->last_of[task]] = request;
    l->last_of[task] = request;
}

/* A request that nobody waits for; `origin` is the task whose arrivals it counts for, or NONE. */
static void send(Circulating *s, Layers *l, i64 entry, i64 origin) {
    i64 request = l->spare_request;
    if (request == NONE) {
        s->overflow++;
        return;
    }
    l->spare_request = l->behind[request];
    l->origin[request] = origin;
    l->born[request] = s->now;
    ask(s, l, request, entry);
}

static int record(Circulating *s, i64 task, double seconds) {
    if (s->ended[task] < s->responses) s->response[task * s->responses + s->ended[task]++] = seconds;
    return s->ended[task] >= s->responses;
}

/* A request has its answer, or goes on to another entry; 1 where response times fill their room. */
static int answer(Circulating *s, Layers *l, i64 request) {
    if (request == NONE) return 0;
    i64 entry = l->entry[request];
    s->task_seconds[entry] += s->now - l->sent[request];
    s->task_count[entry]++;
    i64 f = l->forward_first[entry], end = l->forward_first[entry + 1];
    if (f < end) {
        double u = uniform(s);
        while (f < end && u > l->forward_chance[f]) f++;
        if (f < end) {
            ask(s, l, request, l->forward[f]);
            return 0;
        }
    }
    if (request < s->room) {
        note_ready(l, request);
        return 0;
    }
    l->behind[request] = l->spare_request;
    l->spare_request = request;
    return l->origin[request] == NONE ? 0 : record(s, l->origin[request], s->now - l->born[request]);
}

/* The request of a process, if that has had no answer yet and is no cycle of its own. */
static i64 unanswered(Layers *l, i64 process) {
    i64 request = l->request[process];
    l->request[process] = NONE;
    return request;
}

/* A process has ended the last thread of what it was asked for. */
static int rest(Circulating *s, Layers *l, i64 process) {
    i64 task = s->owner[process], request = unanswered(l, process), next = l->first[task];
    tally(s, l, task, -1, -1);
    memset(l->arrived + process * l->nodes, 0, (size_t)l->nodes * sizeof *l->arrived);
    if (l->reference[task] != NONE) {
        come(s, s->stations, process * s->tasks, drawn(s, s->think[task], s->think_shape[task]));
        return record(s, task, s->now - s->born[process]);
    }
    if (next == NONE) {
        s->next_job[process] = l->idle[task];
        l->idle[task] = process;
    } else {
        l->first[task] = l->behind[next];
        serve(s, l, process, next);
    }
    return answer(s, l, request);
}

/* A process of a reference task begins its next cycle; the source of arrivals sends one. */
static void wake(Circulating *s, Layers *l, i64 thread) {
    i64 process = thread / s->tasks, task = s->owner[process], entry = l->reference[task];
    if (l->is_source[task]) {
        send(s, l, entry, task);
        come(s, s->stations, thread, drawn(s, s->think[task], s->think_shape[task]));
        return;
    }
    s->born[process] = s->now;
    l->request[process] = NONE;
    tally(s, l, task, 1, 1);
    l->live[process] = 1;
    l->activity[thread] = l->start[entry];
    l->at[thread] = AT_PAUSE;
    l->made[thread] = 0;
    note_ready(l, thread);
}

static int end_thread(Circulating *s, Layers *l, i64 thread) {
    i64 process = thread / s->tasks;
    l->activity[thread] = NONE;
    return --l->live[process] ? 0 : rest(s, l, process);
}

static void begin_activity(Layers *l, i64 thread, i64 activity) {
    l->activity[thread] = activity;
    l->at[thread] = AT_PAUSE;
    l->made[thread] = 0;
    note_ready(l, thread);
}

/* An activity has ended: one of those behind it begins, or all of them, or they wait for others. */
static int follow(Circulating *s, Layers *l, i64 thread) {
    i64 process = thread / s->tasks, activity = l->activity[thread], node = l->after[activity];
    if (node == NONE) return end_thread(s, l, thread);
    i64 *arrived = l->arrived + process * l->nodes + node, at = l->node_first[node], end = l->node_first[node + 1];
    if (++*arrived < l->needed[node]) return end_thread(s, l, thread);
    *arrived = 0;
    if (l->is_choice[node]) {
        double u = uniform(s);
        while (at + 1 < end && u > l->chance[at]) at++;
        end = at + 1;
    }
    begin_activity(l, thread, l->target[at++]);
    for (i64 other = process * s->tasks; at < end && other < (process + 1) * s->tasks; other++)
        if (l->activity[other] == NONE) {
            begin_activity(l, other, l->target[at++]);
            l->live[process]++;
        }
    s->overflow += at < end;
    return 0;
}

/* The next call of a thread, or NONE: a fixed number of each, or after each slice one at random, or none any more. */
static i64 next_call(Circulating *s, Layers *l, i64 thread) {
    i64 activity = l->activity[thread], call = l->call_first[activity], end = l->call_first[activity + 1];
    if (call == end) return NONE;
    double u = l->fixed[activity] ? (double)++l->made[thread] : uniform(s) * (1 + l->calls[end - 1]);
    while (call < end && u > l->calls[call]) call++;
    return call < end ? call : NONE;
}

/* A thread goes on: it pauses, or is served by its processor for a slice, or calls, or ends its activity. It comes to the
 * processor to make a call, too, even if that takes no time. */
static int go_on(Circulating *s, Layers *l, i64 thread) {
    i64 activity = l->activity[thread];
    if (activity == NONE) {
        wake(s, l, thread);
        return 0;
    }
    if (l->at[thread] == AT_PAUSE) {
        l->at[thread] = AT_SLICE;
        if (l->pause[activity] > 0) {
            come(s, s->stations, thread, drawn(s, l->pause[activity], s->think_shape[s->owner[thread / s->tasks]]));
            return 0;
        }
    }
    if (l->at[thread] == AT_SLICE) {
        l->at[thread] = AT_CALL;
        if (l->slice[activity] > 0 || l->call_first[activity] < l->call_first[activity + 1]) {
            come(s, l->station[activity], thread, drawn(s, l->slice[activity], l->slice_shape[activity]));
            return 0;
        }
    }
    i64 call = next_call(s, l, thread);
    if (call == NONE) {
        i64 process = thread / s->tasks, request = l->replies[activity] ? unanswered(l, process) : NONE;
        int full = follow(s, l, thread);
        return answer(s, l, request) || full;
    }
    l->at[thread] = AT_SLICE;
    if (l->waits[call])
        ask(s, l, thread, l->called[call]);
    else {
        send(s, l, l->called[call], NONE);
        note_ready(l, thread);
    }
    return 0;
}

/* Processes of reference tasks and sources of arrivals think, all others wait for requests. */
EXPORT void apet_layers_begin(Circulating *s, Layers *l) {
    for (i64 k = 0; k <= s->stations; k++) s->next[k] = INFINITY;
    for (i64 k = 0; k < s->stations * s->ranks; k++) s->rank_first[k] = NONE;
    for (i64 t = 0; t < s->classes; t++) l->idle[t] = l->first[t] = NONE;
    for (i64 i = 0; i < s->room; i++) l->activity[i] = l->origin[i] = NONE;
    l->spare_request = NONE;
    for (i64 r = l->requests - 1; r >= s->room; r--) {
        l->behind[r] = l->spare_request;
        l->spare_request = r;
    }
    for (i64 p = s->jobs - 1; p >= 0; p--) {
        i64 t = s->owner[p];
        if (l->reference[t] != NONE)
            come(s, s->stations, p * s->tasks, drawn(s, s->think[t], s->think_shape[t]));
        else {
            s->next_job[p] = l->idle[t];
            l->idle[t] = p;
        }
    }
}

/* Follows at most so many events; how many there were. It stops where the response times of a class fill their room. */
EXPORT i64 apet_layers_run(Circulating *s, Layers *l, i64 events) {
    i64 number = 0;
    for (int full = 0; number < events && !full; number++) {
        if (l->agenda_size) {
            full = go_on(s, l, next_ready(s, l));
            continue;
        }
        i64 k = earliest(s);
        if (s->next[k] == INFINITY) break;
        note_ready(l, go(s, k));
    }
    settle_stations(s);
    for (i64 t = 0; t < s->classes; t++) tally(s, l, t, 0, 0);
    return number;
}

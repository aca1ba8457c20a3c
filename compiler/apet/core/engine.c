/* What ranks do: they run until they wait, then time goes on to the next event. */

#include "events.h"

static void share_host(State *s, i64 host) {
    i64 number = s->busy[host];
    double rate = s->t.speed[host];
    if (number > s->t.cores[host]) rate *= (double)s->t.cores[host] / (double)number;
    for (i64 i = 0; i < number; i++) {
        int r = s->running[host][i];
        if (s->work_rate[r] == rate) continue;
        s->work[r] -= (s->now - s->work_since[r]) * s->work_rate[r];
        s->work_since[r] = s->now;
        s->work_rate[r] = rate;
        schedule(s, r, s->now + (s->work[r] > 0 ? s->work[r] : 0) / rate);
    }
}

static void start(State *s, i64 message) {
    if (!s->spares && more_flows(s)) return;
    int f = s->spare[--s->spares];
    Flow *flow = &s->flows[f];
    const Message *m = &s->messages[message];
    const Path *path = &s->paths[m->pair];
    i64 low = 0;
    while (low < s->t.steps && s->t.threshold[low] < (double)(m->size + s->t.header)) low++;
    *flow = (Flow){.left = (double)(m->size + s->t.header), .since = s->now, .factor = s->t.bandwidth_factor[low],
                   .message = message, .pair = m->pair};
    s->rate[f] = 0;
    for (int k = 0; k < path->forwards; k++) s->t.carried[s->forward[path->forward + k]] += (double)m->size;
    if (path->latency > 0) schedule(s, (int)s->t.ranks + f, s->now + s->t.latency_factor[low] * path->latency);
    else s->entered[s->entries++] = f;
}

void settled(State *s, i64 message, int sides) {
    Message *m = &s->messages[message];
    m->done |= (unsigned char)sides;
    if (!s->recycles || !m->ended || m->done != (SENDER | RECEIVER)) return;
    m->next = (int)s->spare_message;
    s->spare_message = message;
}

static int done(const State *s, i64 request) {
    const Programs *p = s->programs;
    for (i64 k = p->request_first[request]; k < p->request_first[request + 1]; k++)
        if (!s->messages[p->request_message[k]].ended) return 0;
    return 1;
}

/* Whether a rank has to wait until more of a group's requests are done. */
static int choose(const State *s, i64 group) {
    const Programs *p = s->programs;
    i64 number = 0, all = p->group_first[group + 1] - p->group_first[group];
    for (i64 k = p->group_first[group]; k < p->group_first[group + 1]; k++) number += done(s, k);
    return number < p->group_needed[group] && number < all;
}

static void account(State *s, int r) {
    double spent = s->now - s->began[r];
    if (s->state[r] == COMPUTING) s->t.computed[r] += spent;
    else s->t.waited[r] += spent;
    if (!s->t.record || spent <= 0) return;
    if (!grow((void **)&s->segments, s->t.counts[SEGMENTS], &s->segment_room, sizeof(Segment))) {
        s->failed = 1;
        return;
    }
    s->segments[s->t.counts[SEGMENTS]++] = 
        (Segment){r, s->state[r] == COMPUTING, s->t.stands[r] - 1, s->began[r], s->now};
}

static void compute(State *s, int r, double flops) {
    i64 host = s->t.place[r];
    if (!(flops > 0) || !(s->t.speed[host] > 0)) return;
    s->state[r] = COMPUTING;
    s->work[r] = flops;
    s->work_rate[r] = 0;
    s->work_since[r] = s->now;
    s->running[host][s->busy[host]++] = r;
    share_host(s, host);
}

static double taken(State *s, i64 what) {
    if (s->recycles) s->spare_value[s->spare_values++] = (int)what;
    return s->values[what];
}

static void sleep_for(State *s, int r, double seconds) {
    if (!(seconds > 0)) return;
    s->state[r] = SLEEPING;
    schedule(s, r, s->now + seconds);
}

/* One of the waits behind the present place that has ended is over; a rank that finds none waits, and comes again. */
static void gather_next(State *s, int r) {
    i64 *waits = s->gathered[r], number = s->gathers[r], k = 0;
    while (k < number && !s->messages[waits[k] >> SHIFT].ended) k++;
    if (k == number) {
        s->state[r] = CHOOSING;
        return;
    }

    i64 what = waits[k] >> SHIFT;
    int sent = (waits[k] & MASK) == SENT;
    double seconds = sent ? 0 : take_of(s, what);
    memmove(waits + k, waits + k + 1, (size_t)(number - k - 1) * sizeof(i64));
    s->gathers[r]--;
    settled(s, what, sent ? SENDER : RECEIVER);
    sleep_for(s, r, seconds);
}

static void gather(State *s, int r, i64 number) {
    const Queue *queue = &s->queues[r];
    i64 *waits = realloc(s->gathered[r], (size_t)number * sizeof(i64));
    if (!waits) {
        s->failed = 1;
        return;
    }
    memcpy(waits, queue->items + (s->t.stands[r] - queue->base), (size_t)number * sizeof(i64));
    s->gathered[r] = waits;
    s->gathers[r] = number;
}

static void operate(State *s, int r, i64 operation) {
    i64 what = operation >> SHIFT;
    switch (operation & MASK) {
    case SEND:
        if (s->messages[what].posted || s->messages[what].early) start(s, what);
        s->messages[what].posted = 1;
        break;
    case RECEIVE:
        if (s->messages[what].posted && !s->messages[what].early) start(s, what);
        s->messages[what].posted = 1;
        break;
    case SENT:
    case RECEIVED:
        if (!s->messages[what].ended) {
            s->state[r] = WAITING;
            s->waits_for[r] = what;
        }
        if ((operation & MASK) == SENT) settled(s, what, SENDER);
        else if (!s->t.take_steps) settled(s, what, RECEIVER);
        break;
    case TAKE: {
        double seconds = take_of(s, what);
        settled(s, what, RECEIVER);
        sleep_for(s, r, seconds);
        break;
    }
    case COMPUTE:
        compute(s, r, taken(s, what));
        break;
    case SLEEP:
        sleep_for(s, r, taken(s, what));
        break;
    case TAKES:
        gather(s, r, what);
        break;
    case ANY:
        if (choose(s, what)) s->state[r] = CHOOSING;
        break;
    default:
        break;
    }
}

/* Takes a rank on to where it waits, or to its end; 1 where its further operations are not there yet. */
static int go_on(State *s, int r) {
    account(s, r);
    Queue *queue = &s->queues[r];
    i64 at = s->t.stands[r];
    if (s->state[r] == CHOOSING && !s->gathers[r]) at--;
    s->state[r] = READY;
    while (s->state[r] == READY && !s->failed) {
        while (s->gathers[r] && s->state[r] == READY) gather_next(s, r);
        if (s->state[r] != READY || at >= queue->length) break;
        i64 operation = queue->items[at++ - queue->base];
        s->t.stands[r] = at;
        operate(s, r, operation);
        if ((operation & MASK) == TAKES) at += (operation >> SHIFT) + 1;
    }

    s->began[r] = s->now;
    s->t.stands[r] = at;
    if (s->state[r] != READY) return 0;
    if (!queue->complete) return 1;
    s->t.ends[r] = s->now;
    s->t.stands[r] = at + 1;
    return 0;
}

void wake(State *s, int r) {
    s->awake[s->tail] = r;
    s->tail = (s->tail + 1) % (s->t.ranks + 1);
}

static void tell(State *s, int rank, i64 message) {
    if (s->state[rank] == WAITING && s->waits_for[rank] == message) {
        s->waits_for[rank] = -1;
        wake(s, rank);
    } else if (s->state[rank] == CHOOSING) {
        for (i64 k = s->head; k != s->tail; k = (k + 1) % (s->t.ranks + 1))
            if (s->awake[k] == rank) return;
        wake(s, rank);
    }
}

static void happen(State *s, int id) {
    if (id < s->t.ranks) {
        if (s->state[id] == COMPUTING) {
            i64 host = s->t.place[id], k = 0;
            while (s->running[host][k] != id) k++;
            for (s->busy[host]--; k < s->busy[host]; k++) s->running[host][k] = s->running[host][k + 1];
            share_host(s, host);
        }
        wake(s, id);
        return;
    }

    int f = id - (int)s->t.ranks;
    Flow *flow = &s->flows[f];
    if (!flow->active) {
        s->entered[s->entries++] = f;
        return;
    }

    const Path *path = &s->paths[flow->pair];
    for (int u = 0; u < path->uses; u++) {
        int k = s->uses[path->use + u].link;
        if (!s->links[k].tight) continue;
        change(s, k);
        if (s->level[f] < s->floor) s->floor = s->level[f];
    }

    leave(s, f);
    s->spare[s->spares++] = f;
    i64 message = flow->message;
    s->messages[message].ended = 1;
    tell(s, path->source, message);
    if (path->target != path->source) tell(s, path->target, message);
    settled(s, message, 0);
}

int run(State *s) {
    for (;;) {
        while (s->head != s->tail && !s->failed) {
            int r = s->awake[s->head];
            if (go_on(s, r)) {
                s->t.counts[HUNGRY_RANK] = r;
                return HUNGRY;
            }
            s->head = (s->head + 1) % (s->t.ranks + 1);
        }
        if (s->failed) return FAILED;
        if (s->entries || s->changes) settle(s);
        if (s->failed) return FAILED;
        if (!s->heaped) return ENDED;
        if (s->date[s->heap[0]] > s->now) s->now = s->date[s->heap[0]];
        double limit = s->now + s->t.moment;
        while (s->heaped && s->date[s->heap[0]] <= limit) happen(s, pop(s));
    }
}

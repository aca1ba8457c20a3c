/* The replay of flat programs, as engine.py and sharing.py do it, in C; compiled where it is first needed.
 *
 * Everything comes in and goes out by arrays of the caller. Events are kept in one heap with at most one event per rank
 * (end of a computation or a sleep) and one per flow (begin or end of its transfer). */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

enum { COMPUTE, SLEEP, SEND, RECEIVE, SENT, RECEIVED, ANY, ENTER, LEAVE };
enum { SHIFT = 4, MASK = 15, HEADER = 16 };
enum { READY, COMPUTING, SLEEPING, WAITING, CHOOSING };

static const double SAME_MOMENT = 1e-9, FULL = 1e-12;

typedef struct {
    i64 ranks, messages, links, hosts, pairs, steps;
    const i64 *const *operations; /* by rank */
    const i64 *lengths;
    const double *values;
    const i64 *pair, *size;                    /* by message */
    const i64 *source, *target;                /* by pair: ranks */
    const double *latency, *penalty, *bound;   /* by pair */
    const i64 *use_first, *use_link;           /* links that a pair's flows use */
    const double *use_share;
    const i64 *forward_first, *forward_link;
    const double *capacity;                    /* by link */
    const i64 *shared, *never;
    const double *speed;                       /* by host */
    const i64 *cores;
    const i64 *place;                          /* by rank: its host */
    const i64 *group_first, *group_needed, *group_message;
    const double *threshold, *latency_factor, *bandwidth_factor; /* of `steps` thresholds, one more factor each */
    double *computed, *waited, *ends, *carried; /* results */
    i64 *stands;
    i64 room;                                  /* for segments, 0 to record none */
    i64 *recorded, *segment_rank, *segment_computes;
    double *segment_begin, *segment_end;
} Task;

typedef struct {
    double left, rate, speed, since, factor;
    i64 message, pair;
    int active, stamp, fixed;
    double found;
} Flow;

typedef struct { int flow, use; } User;

typedef struct {
    User *users;
    int number, room, over, stamp, open, stale;
    double load, left, weight;
} Link;

typedef struct {
    const Task *task;
    double now;
    /* heap: entries below `ranks` are ranks, the others flows */
    double *date;
    int *heap, *where;
    i64 heaped;
    /* flows */
    Flow *flows;
    int *at_link, *spare; /* position of a use in its link's list */
    i64 most_uses, room, spares, active;
    Link *links;
    int *entered, *changed, *component, *around;
    i64 entries, changes;
    unsigned char *link_changed;
    int stamp;
    /* ranks */
    i64 *waits_for;
    int *state, *awake;
    i64 head, tail;
    double *began, *work, *work_rate, *work_since;
    unsigned char *posted, *ended;
    int **running;
    i64 *busy;
    int failed;
} State;

/* The heap */

static void up(State *s, i64 k) {
    int id = s->heap[k];
    double d = s->date[id];
    while (k > 0) {
        i64 parent = (k - 1) >> 1;
        int other = s->heap[parent];
        if (s->date[other] <= d) break;
        s->heap[k] = other;
        s->where[other] = (int)k;
        k = parent;
    }
    s->heap[k] = id;
    s->where[id] = (int)k;
}

static void down(State *s, i64 k) {
    int id = s->heap[k];
    double d = s->date[id];
    for (;;) {
        i64 child = 2 * k + 1;
        if (child >= s->heaped) break;
        if (child + 1 < s->heaped && s->date[s->heap[child + 1]] < s->date[s->heap[child]]) child++;
        int other = s->heap[child];
        if (s->date[other] >= d) break;
        s->heap[k] = other;
        s->where[other] = (int)k;
        k = child;
    }
    s->heap[k] = id;
    s->where[id] = (int)k;
}

static void schedule(State *s, int id, double date) {
    int k = s->where[id];
    if (k < 0) {
        s->date[id] = date;
        s->heap[s->heaped] = id;
        s->where[id] = (int)s->heaped;
        up(s, s->heaped++);
        return;
    }
    double before = s->date[id];
    s->date[id] = date;
    if (date < before) up(s, k);
    else if (date > before) down(s, k);
}

static int pop(State *s) {
    int id = s->heap[0];
    s->where[id] = -1;
    if (--s->heaped > 0) {
        s->heap[0] = s->heap[s->heaped];
        s->where[s->heap[0]] = 0;
        down(s, 0);
    }
    return id;
}

/* Flows and links */

static int more_flows(State *s) {
    i64 before = s->room, room = before ? 2 * before : 256, ids = s->task->ranks + room;
    Flow *flows = realloc(s->flows, room * sizeof(Flow));
    if (flows) s->flows = flows;
    int *at = realloc(s->at_link, room * (s->most_uses ? s->most_uses : 1) * sizeof(int));
    if (at) s->at_link = at;
    int *spare = realloc(s->spare, room * sizeof(int));
    if (spare) s->spare = spare;
    double *date = realloc(s->date, ids * sizeof(double));
    if (date) s->date = date;
    int *heap = realloc(s->heap, ids * sizeof(int));
    if (heap) s->heap = heap;
    int *where = realloc(s->where, ids * sizeof(int));
    if (where) s->where = where;
    int *entered = realloc(s->entered, room * sizeof(int));
    if (entered) s->entered = entered;
    int *component = realloc(s->component, room * sizeof(int));
    if (component) s->component = component;
    if (!flows || !at || !spare || !date || !heap || !where || !entered || !component) return s->failed = 1;
    for (i64 k = room - 1; k >= before; k--) {
        s->spare[s->spares++] = (int)k;
        s->where[s->task->ranks + k] = -1;
        memset(&s->flows[k], 0, sizeof(Flow));
    }
    s->room = room;
    return 0;
}

static int tight(const State *s, i64 k) {
    const Link *link = &s->links[k];
    if (s->task->shared[k]) return link->load > s->task->capacity[k] * (1 + FULL);
    return !s->task->never[k] && link->over > 0 && link->number > 1;
}

static void change(State *s, i64 k) {
    if (!s->link_changed[k]) {
        s->link_changed[k] = 1;
        s->changed[s->changes++] = (int)k;
    }
}

static void enter(State *s, int f) {
    const Task *t = s->task;
    Flow *flow = &s->flows[f];
    double bound = t->bound[flow->pair];
    int use = 0;
    for (i64 u = t->use_first[flow->pair]; u < t->use_first[flow->pair + 1]; u++, use++) {
        i64 k = t->use_link[u];
        Link *link = &s->links[k];
        if (link->number == link->room) {
            int room = link->room ? 2 * link->room : 8;
            User *users = realloc(link->users, room * sizeof(User));
            if (!users) { s->failed = 1; return; }
            link->users = users;
            link->room = room;
        }
        s->at_link[f * s->most_uses + use] = link->number;
        link->users[link->number].flow = f;
        link->users[link->number++].use = use;
        link->load += t->use_share[u] * bound;
        link->over += t->use_share[u] * bound >= t->capacity[k] * (1 - FULL);
    }
    flow->active = 1;
    s->active++;
}

static void leave(State *s, int f) {
    const Task *t = s->task;
    Flow *flow = &s->flows[f];
    double bound = t->bound[flow->pair];
    int use = 0;
    for (i64 u = t->use_first[flow->pair]; u < t->use_first[flow->pair + 1]; u++, use++) {
        i64 k = t->use_link[u];
        Link *link = &s->links[k];
        int at = s->at_link[f * s->most_uses + use];
        User last = link->users[--link->number];
        link->users[at] = last;
        s->at_link[last.flow * s->most_uses + last.use] = at;
        link->load = link->number ? link->load - t->use_share[u] * bound : 0.0;
        link->over -= t->use_share[u] * bound >= t->capacity[k] * (1 - FULL);
    }
    flow->active = 0;
    s->active--;
}

static void set_rate(State *s, int f, double rate, int lazily) {
    Flow *flow = &s->flows[f];
    if (flow->rate > 0) flow->left -= (s->now - flow->since) * flow->speed;
    flow->since = s->now;
    flow->rate = rate;
    flow->speed = rate * flow->factor;
    double date = s->now + (flow->left > 0 ? flow->left : 0) / flow->speed;
    int id = (int)s->task->ranks + f;
    if (lazily && s->where[id] >= 0) s->date[id] = date;
    else schedule(s, id, date);
}

/* Progressive filling */

static double share_of(const Task *t, const Flow *flow, int use) {
    return t->use_share[t->use_first[flow->pair] + use];
}

static void reweigh(State *s, i64 k) {
    Link *link = &s->links[k];
    const Task *t = s->task;
    double sum = 0, most = 0;
    int open = 0;
    for (int i = 0; i < link->number; i++) {
        const Flow *flow = &s->flows[link->users[i].flow];
        if (flow->fixed) continue;
        double part = share_of(t, flow, link->users[i].use) / t->penalty[flow->pair];
        sum += part;
        if (part > most) most = part;
        open++;
    }
    link->open = open;
    link->stale = 0;
    link->weight = t->shared[k] ? sum : most;
}

static void fix(State *s, Flow *flow, double rate) {
    const Task *t = s->task;
    flow->fixed = 1;
    flow->found = rate;
    for (i64 u = t->use_first[flow->pair]; u < t->use_first[flow->pair + 1]; u++) {
        Link *link = &s->links[t->use_link[u]];
        if (link->stamp != s->stamp) continue;
        link->open--;
        if (t->shared[t->use_link[u]]) {
            link->left -= t->use_share[u] * rate;
            if (link->left < 0) link->left = 0;
            link->weight -= t->use_share[u] / t->penalty[flow->pair];
        } else {
            link->stale = 1; /* its weight must be found again */
        }
    }
}

static void fill(State *s, i64 flows, i64 binding) {
    const Task *t = s->task;
    i64 left = flows;
    for (i64 i = 0; i < binding; i++) {
        Link *link = &s->links[s->around[i]];
        link->left = t->capacity[s->around[i]];
        reweigh(s, s->around[i]);
    }
    while (left > 0) {
        double level = INFINITY;
        for (i64 i = 0; i < binding; i++) {
            Link *link = &s->links[s->around[i]];
            if (link->stale) reweigh(s, s->around[i]);
            if (link->open > 0 && link->weight > 0 && link->left / link->weight < level) level = link->left / link->weight;
        }
        if (level == INFINITY) break;
        double least = INFINITY;
        for (i64 i = 0; i < binding; i++) {
            Link *link = &s->links[s->around[i]];
            if (link->open <= 0 || link->weight <= 0 || link->left / link->weight > level * (1 + FULL)) continue;
            link->open = -link->open; /* marks it as attaining the level */
            for (int j = 0; j < link->number; j++) {
                const Flow *flow = &s->flows[link->users[j].flow];
                double own = t->bound[flow->pair] * t->penalty[flow->pair];
                if (!flow->fixed && own < least) least = own;
            }
        }
        int bounded = least < level;
        for (i64 i = 0; i < binding; i++) {
            Link *link = &s->links[s->around[i]];
            if (link->open >= 0) continue;
            link->open = -link->open;
            for (int j = 0; j < link->number; j++) {
                Flow *flow = &s->flows[link->users[j].flow];
                if (flow->fixed) continue;
                double bound = t->bound[flow->pair], penalty = t->penalty[flow->pair];
                if (bounded && bound * penalty > least) continue;
                flow->fixed = 2;
                flow->found = bounded ? bound : level / penalty;
            }
        }
        i64 before = left;
        for (i64 i = 0; i < flows; i++) {
            Flow *flow = &s->flows[s->component[i]];
            if (flow->fixed == 2) {
                fix(s, flow, flow->found);
                left--;
            }
        }
        for (i64 i = 0; i < binding; i++) {
            Link *link = &s->links[s->around[i]];
            if (link->open == 0) link->weight = 0;
        }
        if (left == before) break;
    }
}

static void settle(State *s) {
    const Task *t = s->task;
    for (i64 i = 0; i < s->entries; i++) enter(s, s->entered[i]);
    for (i64 i = 0; i < s->entries; i++) {
        Flow *flow = &s->flows[s->entered[i]];
        int binding = 0;
        for (i64 u = t->use_first[flow->pair]; u < t->use_first[flow->pair + 1]; u++)
            if (tight(s, t->use_link[u])) {
                change(s, t->use_link[u]);
                binding = 1;
            }
        if (!binding) set_rate(s, s->entered[i], t->bound[flow->pair], 0);
    }
    s->entries = 0;
    if (!s->changes) return;
    /* All flows that share tight links with those, directly or by way of others. Links that are no longer tight are
     * where flows may speed up, but bind nobody. */
    s->stamp++;
    i64 flows = 0, links = 0;
    for (i64 i = 0; i < s->changes; i++) {
        s->link_changed[s->changed[i]] = 0;
        s->links[s->changed[i]].stamp = s->stamp;
        s->around[links++] = s->changed[i];
    }
    s->changes = 0;
    for (i64 i = 0; i < links; i++) {
        Link *link = &s->links[s->around[i]];
        for (int j = 0; j < link->number; j++) {
            int f = link->users[j].flow;
            Flow *flow = &s->flows[f];
            if (flow->stamp == s->stamp) continue;
            flow->stamp = s->stamp;
            flow->fixed = 0;
            flow->found = t->bound[flow->pair];
            s->component[flows++] = f;
            for (i64 u = t->use_first[flow->pair]; u < t->use_first[flow->pair + 1]; u++) {
                Link *other = &s->links[t->use_link[u]];
                if (other->stamp != s->stamp && tight(s, t->use_link[u])) {
                    other->stamp = s->stamp;
                    s->around[links++] = (int)t->use_link[u];
                }
            }
        }
    }
    i64 binding = 0;
    for (i64 i = 0; i < links; i++) {
        if (tight(s, s->around[i])) s->around[binding++] = s->around[i];
        else s->links[s->around[i]].stamp = 0;
    }
    if (binding) fill(s, flows, binding);
    int lazily = 4 * flows > s->heaped;
    for (i64 i = 0; i < flows; i++) {
        Flow *flow = &s->flows[s->component[i]];
        if (fabs(flow->found - flow->rate) > 1e-15 * flow->found) set_rate(s, s->component[i], flow->found, lazily);
    }
    if (lazily)
        for (i64 k = s->heaped / 2; k-- > 0;) down(s, k);
}

/* Ranks */

static void share_host(State *s, i64 host) {
    const Task *t = s->task;
    i64 number = s->busy[host];
    double rate = t->speed[host];
    if (number > t->cores[host]) rate *= (double)t->cores[host] / (double)number;
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
    const Task *t = s->task;
    if (!s->spares && more_flows(s)) return;
    int f = s->spare[--s->spares];
    Flow *flow = &s->flows[f];
    i64 pair = t->pair[message], size = t->size[message], low = 0;
    while (low < t->steps && t->threshold[low] < (double)(size + HEADER)) low++;
    flow->left = (double)(size + HEADER);
    flow->rate = flow->speed = 0;
    flow->since = s->now;
    flow->factor = t->bandwidth_factor[low];
    flow->message = message;
    flow->pair = pair;
    flow->active = flow->fixed = flow->stamp = 0;
    for (i64 k = t->forward_first[pair]; k < t->forward_first[pair + 1]; k++)
        t->carried[t->forward_link[k]] += (double)size;
    if (t->latency[pair] > 0) schedule(s, (int)t->ranks + f, s->now + t->latency_factor[low] * t->latency[pair]);
    else s->entered[s->entries++] = f;
}

static int choose(State *s, i64 group) {
    const Task *t = s->task;
    i64 ended = 0, all = t->group_first[group + 1] - t->group_first[group];
    for (i64 i = t->group_first[group]; i < t->group_first[group + 1]; i++) ended += s->ended[t->group_message[i]];
    return ended < t->group_needed[group] && ended < all;
}

static void go_on(State *s, int r) {
    const Task *t = s->task;
    double spent = s->now - s->began[r];
    if (s->state[r] == COMPUTING) t->computed[r] += spent;
    else t->waited[r] += spent;
    if (spent > 0 && *t->recorded < t->room) {
        i64 k = (*t->recorded)++;
        t->segment_rank[k] = r;
        t->segment_computes[k] = s->state[r] == COMPUTING;
        t->segment_begin[k] = s->began[r];
        t->segment_end[k] = s->now;
    }
    i64 at = t->stands[r], last = t->lengths[r];
    if (s->state[r] == CHOOSING) at--;
    const i64 *operations = t->operations[r];
    s->state[r] = READY;
    while (at < last && s->state[r] == READY) {
        i64 what = operations[at] >> SHIFT;
        switch (operations[at++] & MASK) {
        case SEND:
        case RECEIVE:
            if (s->posted[what]) start(s, what);
            else s->posted[what] = 1;
            break;
        case SENT:
        case RECEIVED:
            if (!s->ended[what]) {
                s->state[r] = WAITING;
                s->waits_for[r] = what;
            }
            break;
        case COMPUTE: {
            i64 host = t->place[r];
            if (t->values[what] > 0 && t->speed[host] > 0) {
                s->state[r] = COMPUTING;
                s->work[r] = t->values[what];
                s->work_rate[r] = 0;
                s->work_since[r] = s->now;
                s->running[host][s->busy[host]++] = r;
                share_host(s, host);
            }
            break;
        }
        case SLEEP:
            if (t->values[what] > 0) {
                s->state[r] = SLEEPING;
                schedule(s, r, s->now + t->values[what]);
            }
            break;
        case ANY:
            if (choose(s, what)) s->state[r] = CHOOSING;
            break;
        default:
            break;
        }
    }
    if (s->state[r] == READY) {
        t->ends[r] = s->now;
        at = last + 1;
    }
    t->stands[r] = at;
    s->began[r] = s->now;
}

static void wake(State *s, int r) {
    s->awake[s->tail] = r;
    s->tail = (s->tail + 1) % (s->task->ranks + 1);
}

static void tell(State *s, i64 rank, i64 message) {
    if (s->state[rank] == WAITING && s->waits_for[rank] == message) {
        s->waits_for[rank] = -1;
        wake(s, (int)rank);
    } else if (s->state[rank] == CHOOSING) {
        for (i64 k = s->head; k != s->tail; k = (k + 1) % (s->task->ranks + 1))
            if (s->awake[k] == (int)rank) return;
        wake(s, (int)rank);
    }
}

static void happen(State *s, int id) {
    const Task *t = s->task;
    if (id < t->ranks) {
        if (s->state[id] == COMPUTING) {
            i64 host = t->place[id], k = 0;
            while (s->running[host][k] != id) k++;
            for (s->busy[host]--; k < s->busy[host]; k++) s->running[host][k] = s->running[host][k + 1];
            share_host(s, host);
        }
        wake(s, id);
        return;
    }
    int f = id - (int)t->ranks;
    Flow *flow = &s->flows[f];
    if (!flow->active) {
        s->entered[s->entries++] = f;
        return;
    }
    for (i64 u = t->use_first[flow->pair]; u < t->use_first[flow->pair + 1]; u++)
        if (tight(s, t->use_link[u])) change(s, t->use_link[u]);
    leave(s, f);
    s->spare[s->spares++] = f;
    s->ended[flow->message] = 1;
    i64 source = t->source[flow->pair], target = t->target[flow->pair], message = flow->message;
    tell(s, source, message);
    if (target != source) tell(s, target, message);
}

static void run(State *s) {
    const Task *t = s->task;
    for (;;) {
        while (s->head != s->tail && !s->failed) {
            int r = s->awake[s->head];
            s->head = (s->head + 1) % (t->ranks + 1);
            go_on(s, r);
        }
        if (s->failed) return;
        if (s->entries || s->changes) settle(s);
        if (s->failed) return;
        if (!s->heaped) return;
        if (s->date[s->heap[0]] > s->now) s->now = s->date[s->heap[0]];
        double limit = s->now + SAME_MOMENT;
        while (s->heaped && s->date[s->heap[0]] <= limit) happen(s, pop(s));
    }
}

static void *zeroed(State *s, i64 number, size_t size) {
    void *found = calloc(number > 0 ? number : 1, size);
    if (!found) s->failed = 1;
    return found;
}

static void prepare(State *s) {
    const Task *t = s->task;
    for (i64 p = 0; p < t->pairs; p++) {
        i64 uses = t->use_first[p + 1] - t->use_first[p];
        if (uses > s->most_uses) s->most_uses = uses;
    }
    s->links = zeroed(s, t->links, sizeof(Link));
    s->changed = zeroed(s, t->links, sizeof(int));
    s->around = zeroed(s, t->links, sizeof(int));
    s->link_changed = zeroed(s, t->links, 1);
    s->waits_for = zeroed(s, t->ranks, sizeof(i64));
    s->state = zeroed(s, t->ranks, sizeof(int));
    s->awake = zeroed(s, t->ranks + 1, sizeof(int));
    s->began = zeroed(s, t->ranks, sizeof(double));
    s->work = zeroed(s, t->ranks, sizeof(double));
    s->work_rate = zeroed(s, t->ranks, sizeof(double));
    s->work_since = zeroed(s, t->ranks, sizeof(double));
    s->posted = zeroed(s, t->messages, 1);
    s->ended = zeroed(s, t->messages, 1);
    s->running = zeroed(s, t->hosts, sizeof(int *));
    s->busy = zeroed(s, t->hosts, sizeof(i64));
    if (s->failed) return;
    i64 *number = zeroed(s, t->hosts, sizeof(i64));
    if (!number) return;
    for (i64 r = 0; r < t->ranks; r++) number[t->place[r]]++;
    for (i64 h = 0; h < t->hosts; h++) s->running[h] = zeroed(s, number[h], sizeof(int));
    free(number);
    if (s->failed || more_flows(s)) return;
    for (int r = 0; r < t->ranks; r++) {
        s->where[r] = -1;
        wake(s, r);
    }
}

static void release(State *s) {
    if (s->links)
        for (i64 k = 0; k < s->task->links; k++) free(s->links[k].users);
    if (s->running)
        for (i64 h = 0; h < s->task->hosts; h++) free(s->running[h]);
    void *all[] = {s->links, s->changed, s->around, s->link_changed, s->waits_for, s->state, s->awake, s->began, s->work,
                   s->work_rate, s->work_since, s->posted, s->ended, s->running, s->busy, s->date, s->heap, s->where,
                   s->flows, s->at_link, s->spare, s->entered, s->component};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
}

/* Runs a task; 0, or 1 if memory ran out. */
int apet_replay(const Task *task) {
    State state;
    memset(&state, 0, sizeof(state));
    state.task = task;
    prepare(&state);
    if (!state.failed) run(&state);
    release(&state);
    return state.failed;
}

/* Longest paths whose dates are linear in three factors: of seconds per flop, of latency, of seconds per byte. */

typedef struct { double value, part[4]; } Date; /* constant, compute, latency, bandwidth */

typedef struct {
    const Task *task;
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
    const Task *t = p->task;
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
    const Task *t = p->task;
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
    const Task *t = p->task;
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
int apet_longest(const Task *task, const double *duration, const double *slowness, const double *gap, i64 syncs,
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

/* Flows on links, and their rates by weighted max-min fairness with bounds.
 *
 * Only links that are tight can limit: those whose flows, all at their bounds, would ask for more than there is. In
 * progressive filling what happens below a level does not depend on flows that were or will be fixed above it. So when
 * a flow leaves, rates below its own level (rate times p) stay as they are, and when one enters, those below the level
 * at which its links can be full at the earliest. */

#include "events.h"

int more_flows(State *s) {
    i64 before = s->room, room = before ? 2 * before : 256, ids = s->t.ranks + room;
    size_t wide = (size_t)room * (size_t)(s->most_uses ? s->most_uses : 1);

    struct { void **items; size_t bytes; } all[] = {
        {(void **)&s->flows, (size_t)room * sizeof(Flow)},      {(void **)&s->at_link, wide * sizeof(int)},
        {(void **)&s->spare, (size_t)room * sizeof(int)},       {(void **)&s->date, (size_t)ids * sizeof(double)},
        {(void **)&s->heap, (size_t)ids * sizeof(int)},         {(void **)&s->where, (size_t)ids * sizeof(int)},
        {(void **)&s->entered, (size_t)room * sizeof(int)},     {(void **)&s->component, (size_t)room * sizeof(int)},
        {(void **)&s->tied, (size_t)room * sizeof(int)},        {(void **)&s->rate, (size_t)room * sizeof(double)},
        {(void **)&s->level, (size_t)room * sizeof(double)},    {(void **)&s->settled, (size_t)room * sizeof(double)},
        {(void **)&s->stamped, (size_t)room * sizeof(int)},     {(void **)&s->fixed, (size_t)room},
    };
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        void *larger = realloc(*all[k].items, all[k].bytes);
        if (!larger) return s->failed = 1;
        *all[k].items = larger;
    }

    for (i64 k = room - 1; k >= before; k--) {
        s->spare[s->spares++] = (int)k;
        s->where[s->t.ranks + k] = -1;
        s->stamped[k] = 0;
        s->level[k] = -1;
    }

    s->room = room;
    return 0;
}

/* A path with more links than any before: flows remember more positions. */
int widen(State *s, i64 uses) {
    if (uses <= s->most_uses) return 0;
    int *wider = malloc((size_t)(s->room ? s->room : 1) * (size_t)uses * sizeof(int));
    if (!wider) return s->failed = 1;
    for (i64 f = 0; f < s->room; f++)
        if (s->most_uses) memcpy(wider + f * uses, s->at_link + f * s->most_uses, (size_t)s->most_uses * sizeof(int));
    free(s->at_link);
    s->at_link = wider;
    s->most_uses = uses;
    return 0;
}

void refresh(State *s, i64 k) {
    Link *link = &s->links[k];
    const Crowd *crowd = &s->crowds[k];
    if (link->shared) link->tight = link->load > link->capacity * (1 + FULL);
    else link->tight = !crowd->never && crowd->over > 0 && crowd->number > 1;
}

void change(State *s, i64 k) {
    if (s->links[k].changed) return;
    s->links[k].changed = 1;
    s->changed[s->changes++] = (int)k;
}

static void enter(State *s, int f) {
    const Path *path = &s->paths[s->flows[f].pair];
    for (int i = 0; i < path->uses; i++) {
        const Use *use = &s->uses[path->use + i];
        Link *link = &s->links[use->link];
        Crowd *crowd = &s->crowds[use->link];
        double demand = s->share[use->share] * path->bound, weight = s->share[use->share] * path->inverse;
        if (crowd->number == crowd->room) {
            int room = crowd->room ? 2 * crowd->room : 8;
            User *users = realloc(crowd->users, (size_t)room * sizeof(User));
            if (!users) { s->failed = 1; return; }
            crowd->users = users;
            crowd->room = room;
        }
        s->at_link[f * s->most_uses + i] = crowd->number;
        crowd->users[crowd->number++] = (User){f, i, weight};
        crowd->pull += weight;
        crowd->over += demand >= link->capacity * (1 - FULL);
        link->load += demand;
        refresh(s, use->link);
    }

    s->flows[f].active = 1;
    s->active++;
    if (f >= s->highest) s->highest = f + 1;
    s->rate[f] = 0;
    s->level[f] = INFINITY; /* not known yet */
}

void leave(State *s, int f) {
    const Path *path = &s->paths[s->flows[f].pair];
    for (int i = 0; i < path->uses; i++) {
        const Use *use = &s->uses[path->use + i];
        Link *link = &s->links[use->link];
        Crowd *crowd = &s->crowds[use->link];
        double share = s->share[use->share], demand = share * path->bound;
        int at = s->at_link[f * s->most_uses + i];
        User last = crowd->users[--crowd->number];
        crowd->users[at] = last;
        s->at_link[last.flow * s->most_uses + last.use] = at;
        crowd->pull = crowd->number ? crowd->pull - share * path->inverse : 0.0;
        crowd->over -= demand >= link->capacity * (1 - FULL);
        link->load = crowd->number ? link->load - demand : 0.0;
        link->taken = crowd->number ? link->taken - share * s->rate[f] : 0.0;
        refresh(s, use->link);
    }

    s->flows[f].active = 0;
    s->level[f] = -1;
    s->active--;
}

static void set_rate(State *s, int f, double rate, int lazily) {
    Flow *flow = &s->flows[f];
    const Path *path = &s->paths[flow->pair];
    double more = rate - s->rate[f];

    if (s->rate[f] > 0) flow->left -= (s->now - flow->since) * flow->speed;
    flow->since = s->now;
    for (int i = 0; i < path->uses; i++) {
        const Use *use = &s->uses[path->use + i];
        s->links[use->link].taken += s->share[use->share] * more;
    }

    s->rate[f] = rate;
    s->level[f] = rate * path->penalty;
    flow->speed = rate * flow->factor;
    double date = s->now + (flow->left > 0 ? flow->left : 0) / flow->speed;
    int id = (int)s->t.ranks + f;
    if (lazily && s->where[id] >= 0) s->date[id] = date;
    else schedule(s, id, date);
}

/* The greatest weight of flows at a FATPIPE that are not fixed. */
static void reweigh(State *s, int k) {
    Link *link = &s->links[k];
    const Crowd *crowd = &s->crowds[k];
    link->weight = 0;
    link->stale = 0;
    for (int i = 0; i < crowd->number; i++) {
        const User *user = &crowd->users[i];
        if (s->stamped[user->flow] != s->stamp || s->fixed[user->flow]) continue;
        if (user->weight > link->weight) link->weight = user->weight;
    }
}

static void fix(State *s, int f, double rate) {
    const Path *path = &s->paths[s->flows[f].pair];
    s->fixed[f] = 1;
    s->settled[f] = rate;
    for (int i = 0; i < path->uses; i++) {
        const Use *use = &s->uses[path->use + i];
        Link *link = &s->links[use->link];
        if (link->stamp != s->stamp) continue;
        link->open--;
        if (link->shared) {
            link->left -= s->share[use->share] * rate;
            if (link->left < 0) link->left = 0;
            link->weight = link->open ? link->weight - s->share[use->share] * path->inverse : 0;
        } else {
            link->stale = 1; /* its weight is out of date */
        }
    }
}

static void fill(State *s, i64 flows, i64 binding) {
    i64 left = flows;
    for (i64 i = 0; i < binding; i++)
        if (s->links[s->around[i]].left < 0) s->links[s->around[i]].left = 0;
    while (left > 0) {
        double level = INFINITY, least = INFINITY;
        for (i64 i = 0; i < binding; i++) {
            Link *link = &s->links[s->around[i]];
            if (link->stale) reweigh(s, s->around[i]);
            if (link->open > 0 && link->weight > 0 && link->left / link->weight < level) level = link->left / link->weight;
        }
        if (level == INFINITY) return;
        i64 tied = 0, before = left;
        for (i64 i = 0; i < binding; i++) {
            const Link *link = &s->links[s->around[i]];
            if (link->open <= 0 || link->weight <= 0 || link->left / link->weight > level * (1 + FULL)) continue;
            const Crowd *crowd = &s->crowds[s->around[i]];
            for (int j = 0; j < crowd->number; j++) {
                int f = crowd->users[j].flow;
                if (s->stamped[f] != s->stamp || s->fixed[f]) continue;
                const Path *path = &s->paths[s->flows[f].pair];
                if (path->bound * path->penalty < least) least = path->bound * path->penalty;
                s->fixed[f] = 2;
                s->tied[tied++] = f;
            }
        }
        for (i64 i = 0; i < tied; i++) {
            int f = s->tied[i];
            const Path *path = &s->paths[s->flows[f].pair];
            if (least < level && path->bound * path->penalty >= least + SAME_LEVEL) {
                s->fixed[f] = 0;
                continue;
            }
            fix(s, f, least < level ? path->bound : level * path->inverse);
            left--;
        }
        if (left == before) return;
    }
}

/* A link among those where rates change; it binds if it is tight. */
static void join(State *s, int k, i64 *links) {
    Link *link = &s->links[k];
    link->stamp = s->stamp;
    link->open = 0;
    link->stale = !link->shared;
    link->weight = 0;
    link->left = link->shared ? link->capacity - link->taken : link->capacity;
    s->around[(*links)++] = k;
}

/* A flow whose rate may change: what it has now is open again on its tight links. */
static void take(State *s, int f, i64 *flows, i64 *links) {
    const Path *path = &s->paths[s->flows[f].pair];
    s->stamped[f] = s->stamp;
    s->fixed[f] = 0;
    s->settled[f] = path->bound;
    s->component[(*flows)++] = f;
    for (int u = 0; u < path->uses; u++) {
        const Use *use = &s->uses[path->use + u];
        Link *link = &s->links[use->link];
        if (link->stamp != s->stamp) {
            if (!link->tight) continue;
            join(s, use->link, links);
        }
        link->open++;
        if (!link->shared) continue;
        link->left += s->share[use->share] * s->rate[f];
        link->weight += s->share[use->share] * path->inverse;
    }
}

/* All flows at the floor and above that share tight links with those on changed ones, directly or by way of others;
 * where these were many the last time, all flows at the floor and above. Links that are no longer tight are where flows
 * may speed up, but bind nobody. -1: a FATPIPE is among them, and the floor is given up. */
static i64 gather(State *s, i64 *links) {
    double cut = s->floor * (1 - 1e-9);
    i64 flows = 0;

    s->stamp++;
    *links = 0;
    for (i64 i = 0; i < s->changes; i++) join(s, s->changed[i], links);
    if (8 * s->affected > s->active) {
        for (i64 f = 0; f < s->highest; f++)
            if (s->level[f] >= cut && s->level[f] >= 0) take(s, (int)f, &flows, links);
    } else {
        for (i64 i = 0; i < *links; i++) {
            const Crowd *crowd = &s->crowds[s->around[i]];
            for (int j = 0; j < crowd->number; j++) {
                int f = crowd->users[j].flow;
                if (s->stamped[f] != s->stamp && s->level[f] >= cut) take(s, f, &flows, links);
            }
        }
    }

    for (i64 i = 0; cut > 0 && i < *links; i++)
        if (!s->links[s->around[i]].shared && s->links[s->around[i]].tight) {
            s->floor = 0;
            return -1;
        }
    s->affected = 0;
    return flows;
}

void settle(State *s) {
    for (i64 i = 0; i < s->entries; i++) enter(s, s->entered[i]);
    if (s->failed) return;
    for (i64 i = 0; i < s->entries; i++) {
        const Path *path = &s->paths[s->flows[s->entered[i]].pair];
        int binding = 0;
        for (int u = 0; u < path->uses; u++) {
            int k = s->uses[path->use + u].link;
            if (!s->links[k].tight) continue;
            change(s, k);
            binding = 1;
            double earliest = s->links[k].capacity / s->crowds[k].pull * (1 - 1e-6);
            if (earliest < s->floor) s->floor = earliest;
        }
        if (!binding) set_rate(s, s->entered[i], path->bound, 0);
    }

    s->entries = 0;
    if (!s->changes) return;
    i64 links, flows = gather(s, &links);
    if (flows < 0) flows = gather(s, &links);
    for (i64 i = 0; i < s->changes; i++) s->links[s->changed[i]].changed = 0;
    s->changes = 0;
    s->floor = INFINITY;
    i64 binding = 0;
    for (i64 i = 0; i < links; i++) {
        if (s->links[s->around[i]].tight) s->around[binding++] = s->around[i];
        else s->links[s->around[i]].stamp = 0;
    }

    if (binding) fill(s, flows, binding);
    int lazily = 4 * flows > s->heaped;
    for (i64 i = 0; i < flows; i++) {
        int f = s->component[i];
        if (fabs(s->settled[f] - s->rate[f]) > FULL * s->settled[f]) {
            set_rate(s, f, s->settled[f], lazily);
            s->affected++;
        }
    }

    if (lazily)
        for (i64 k = s->heaped / 2; k-- > 0;) down(s, k);
}

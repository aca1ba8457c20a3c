/* What flows of each pair of ranks use of the links. */

#include "replay.h"

/* The source and target of pairs that have no path yet; as many as the setting's counts say. */
void apet_new_pairs(const State *s, i64 *ends) {
    for (i64 p = s->routed; p < s->pairs; p++) {
        *ends++ = s->paths[p].source;
        *ends++ = s->paths[p].target;
    }
}

static void limits(State *s, const Path *path) {
    for (int i = 0; i < path->uses; i++) {
        const Use *use = &s->uses[path->use + i];
        Crowd *crowd = &s->crowds[use->link];
        double demand = s->share[use->share] * path->bound;
        if (path->penalty < crowd->least) crowd->least = path->penalty;
        if (path->penalty > crowd->most) crowd->most = path->penalty;
        if (demand > s->links[use->link].capacity * (1 + FULL) || crowd->most > crowd->least * (1 + FULL))
            crowd->never = 0;
        refresh(s, use->link);
    }
}

/* The number of a share; there are few different ones. */
static int share_number(State *s, double share) {
    for (int k = 0; k < s->shares; k++)
        if (s->share[k] == share) return k;
    if (s->shares == MOST_SHARES) {
        s->failed = 1;
        return 0;
    }
    s->share[s->shares] = share;
    return s->shares++;
}

/* A further share of the rate on a link, of which the path may use some already. */
static int use_link(State *s, Path *path, i64 link, double share) {
    for (int i = 0; i < path->uses; i++) {
        Use *use = &s->uses[path->use + i];
        if (use->link != link) continue;
        double known = s->share[use->share];
        use->share = share_number(s, s->links[link].shared ? known + share : (share > known ? share : known));
        return s->failed;
    }
    if (!grow((void **)&s->uses, s->used, &s->use_room, sizeof(Use))) return s->failed = 1;
    s->uses[s->used++] = (Use){(int)link, share_number(s, share)};
    path->uses++;
    return s->failed;
}

/* The routes of the next pairs, in order: their ends, the latency, the links there and back. 0, or 1 if memory ran
 * out. */
i64 apet_routes(State *s, i64 number, const i64 *ends, const double *latency, const i64 *there, const i64 *forward,
                const i64 *back, const i64 *backward) {
    for (i64 p = 0; p < number; p++) {
        if (!grow((void **)&s->paths, s->routed, &s->pair_room, sizeof(Path))) return s->failed = 1;
        Path *path = &s->paths[s->routed++];
        *path = (Path){.source = (int)ends[2 * p], .target = (int)ends[2 * p + 1], .use = s->used,
                       .forward = s->forwards, .forwards = (int)there[p], .latency = latency[p], .bound = INFINITY};
        if (s->routed > s->pairs) s->pairs = s->routed;
        path->penalty = path->latency;
        for (i64 k = 0; k < there[p]; k++, forward++) {
            double bandwidth = s->links[*forward].capacity;
            path->penalty += s->t.weight_of_bandwidth / bandwidth;
            if (bandwidth < path->bound) path->bound = bandwidth;
            if (!grow((void **)&s->forward, s->forwards, &s->forward_room, sizeof(int))) return s->failed = 1;
            s->forward[s->forwards++] = (int)*forward;
            if (use_link(s, path, *forward, 1.0)) return 1;
        }
        for (i64 k = 0; k < back[p]; k++, backward++)
            if (s->t.back > 0 && use_link(s, path, *backward, s->t.back)) return 1;
        if (!(path->latency > 0)) path->penalty = 1.0;
        if (path->latency > 0 && s->t.window / (2 * path->latency) < path->bound)
            path->bound = s->t.window / (2 * path->latency);
        path->inverse = 1 / path->penalty;
        limits(s, path);
        if (widen(s, path->uses)) return 1;
    }
    s->t.counts[NEW_PAIRS] = s->pairs - s->routed;
    return 0;
}

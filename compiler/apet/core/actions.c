/* What each action of a trace becomes. */

#include "reading.h"

enum { INIT, NOTHING, COMPUTES, SLEEPS, SENDS, ISENDS, RECEIVES, IRECEIVES, SENDRECV, WAIT, WAITALL, BARRIERS, BCASTS,
       REDUCES, ALLREDUCES, SCANS, EXSCANS, GATHERS, SCATTERS, ALLGATHERS, ALLTOALLS, GATHERVS, ALLGATHERVS, SCATTERVS, ALLTOALLVS,
       REDUCESCATTERS, SSENDS, ISSENDS, WAITANY, BEGINS = 64 };
/* A collective's number and BEGINS: the non-blocking one. */

static const struct { const char *name; int length, action; } NAMES[] = {
    {"compute", 7, COMPUTES}, {"wait", 4, WAIT}, {"send", 4, SENDS}, {"irecv", 5, IRECEIVES}, {"isend", 5, ISENDS},
    {"recv", 4, RECEIVES}, {"waitall", 7, WAITALL}, {"sendrecv", 8, SENDRECV}, {"allreduce", 9, ALLREDUCES},
    {"bcast", 5, BCASTS}, {"barrier", 7, BARRIERS}, {"reduce", 6, REDUCES}, {"test", 4, NOTHING},
    {"alltoall", 8, ALLTOALLS}, {"alltoallv", 9, ALLTOALLVS}, {"allgather", 9, ALLGATHERS},
    {"allgatherv", 10, ALLGATHERVS}, {"gather", 6, GATHERS}, {"gatherv", 7, GATHERVS}, {"scatter", 7, SCATTERS},
    {"scatterv", 8, SCATTERVS}, {"scan", 4, SCANS}, {"exscan", 6, EXSCANS}, {"reducescatter", 13, REDUCESCATTERS},
    {"sleep", 5, SLEEPS}, {"init", 4, INIT}, {"finalize", 8, NOTHING}, {"comm_size", 9, NOTHING},
    {"comm_split", 10, NOTHING}, {"comm_dup", 8, NOTHING}, {"location", 8, NOTHING}, {"ssend", 5, SSENDS},
    {"issend", 6, ISSENDS}, {"waitany", 7, WAITANY}, {"waitsome", 8, WAITANY},
};

/* By which tag a wait means the non-blocking form of a collective: WAIT_TAGS of traces/trace.py. */
static const struct { int action, tag; } KINDS[] = {
    {BARRIERS, -779}, {BCASTS, -3335}, {REDUCES, -113}, {ALLREDUCES, -4446}, {SCANS, -889}, {EXSCANS, -889},
    {GATHERS, -446}, {SCATTERS, -224}, {ALLGATHERS, -557}, {ALLTOALLS, -1113}, {GATHERVS, -2224}, {ALLGATHERVS, -668},
    {SCATTERVS, -335}, {ALLTOALLVS, -1001}, {REDUCESCATTERS, -890},
};

static i64 kind_of(int action) {
    for (size_t k = 0; k < sizeof(KINDS) / sizeof(KINDS[0]); k++)
        if (KINDS[k].action == action) return KINDS[k].tag;
    return 0;
}

static int is_kind(i64 tag) {
    for (size_t k = 0; k < sizeof(KINDS) / sizeof(KINDS[0]); k++)
        if (KINDS[k].tag == tag) return 1;
    return 0;
}

static int collective_of(int action) { return action >= BARRIERS && action <= REDUCESCATTERS; }

static int find_name(const char *name, i64 length) {
    for (size_t k = 0; k < sizeof(NAMES) / sizeof(NAMES[0]); k++)
        if (NAMES[k].length == length && !memcmp(NAMES[k].name, name, (size_t)length)) return NAMES[k].action;
    return -1;
}

/* An action by its name, in small letters; -1: there is none such. */
static int named(const char *name, i64 length) {
    int action = find_name(name, length);
    if (action >= 0 || name[0] != 'i') return action;
    action = find_name(name + 1, length - 1);
    return collective_of(action) ? action + BEGINS : -1;
}

/* A message to or from another rank by its words: partner, tag, count, datatype. */
static int message_act(Act *a, int action) {
    i64 partner, tag, size;
    int synchronous = action == SSENDS || action == ISSENDS, sends = synchronous || action == SENDS || action == ISENDS;
    if (count_at(a, 0, &partner) || count_at(a, 1, &tag) || size_at(a, 2, 3, &size) || (sends && size < 0)) return UNUSUAL;
    int wild = !sends && (partner == ANY_SOURCE || tag == ANY_TAG);
    if (partner >= a->s->t.ranks || (partner < 0 && (!wild || partner != ANY_SOURCE))) return UNUSUAL;
    if ((tag < 0 && (!wild || tag != ANY_TAG)) || (wild && a->l->mode < KEEPING)) return UNUSUAL;

    int channel = sends ? channel_of(a->s, a->l, a->rank, partner, tag) : channel_of(a->s, a->l, partner, a->rank, tag);
    if (a->s->failed) return PLAIN;
    int how = (action == ISENDS || action == ISSENDS ? IMMEDIATE : 0) | (synchronous ? SYNCHRONOUS : 0);
    i64 request = sends  ? post_send(a->s, a->l, a->rank, channel, size, how)
                  : wild ? post_wild(a->s, a->l, a->rank, partner, tag)
                         : post_receive(a->s, a->l, a->rank, channel);
    if (action == SENDS || action == SSENDS || action == RECEIVES) wait_for(a->s, a->rank, request);
    else keep_open(a->s, a->l, a->rank, channel, request);
    return PLAIN;
}

/* For a message, or, where the tag says so, a non-blocking collective. */
static int wait_act(Act *a) {
    i64 source, target, tag;
    int channel;

    if (count_at(a, 0, &source) || count_at(a, 1, &target) || count_at(a, 2, &tag)) return UNUSUAL;
    if (is_kind(tag)) {
        channel = channel_of(a->s, a->l, a->rank, BEGUN_BY, tag);
    } else {
        if ((source < 0 && source != ANY_SOURCE) || target < 0) return UNUSUAL;
        channel = channel_of(a->s, a->l, source, target, tag);
    }

    if (!a->s->failed) wait_one(a->s, a->l, a->rank, channel, a->older);
    return PLAIN;
}

static int point_to_point(Act *a, int action) {
    i64 source, target, size, ignored;
    if (action == WAIT) return wait_act(a);
    if (action != SENDRECV) return message_act(a, action);
    if (size_at(a, 0, 4, &size) || size < 0 || rank_at(a, 1, a->s->t.ranks, &target) || size_at(a, 2, 5, &ignored) ||
        rank_at(a, 3, a->s->t.ranks, &source))
        return UNUSUAL;
    Member me = {.s = a->s, .l = a->l, .rank = a->rank, .number = a->rank, .size = a->s->t.ranks};
    exchange(&me, size, target, source);
    return PLAIN;
}

static int by_rank(Act *a, Member *me, int action) {
    i64 size = 0, element, other, root;
    i64 *sizes = a->l->sizes;
    double flops;

    switch (action) {
    case GATHERVS:
    case ALLGATHERVS:
        if (count_at(a, 0, &size) || size < 0 || counts(a, 1, sizes)) return UNUSUAL;
        words_after(a);
        if (action == GATHERVS) {
            if (root_at(a, 0, &root) || element_at(a, 1, &element) || element_at(a, 2, &other)) return UNUSUAL;
            to_root(me, product(&a->l->exceeded, size, element), root, GATHER);
        } else {
            if (element_at(a, 0, &element) || element_at(a, 1, &other)) return UNUSUAL;
            pairs_in_turn(me, product(&a->l->exceeded, size, element));
        }
        return PLAIN;
    case SCATTERVS:
        if (counts(a, 0, sizes)) return UNUSUAL;
        words_after(a);
        if (root_at(a, 1, &root) || element_at(a, 2, &element)) return UNUSUAL;
        bytes_of(a, element);
        from_root(me, sizes, 0, root);
        return PLAIN;
    case ALLTOALLVS:
        if (counts(a, 1, sizes) || counts(a, 1, sizes + a->group_size)) return UNUSUAL;
        words_after(a);
        if (element_at(a, 0, &element) || element_at(a, 1, &other)) return UNUSUAL;
        bytes_of(a, element);
        all_pairs(me, sizes, 0);
        return PLAIN;
    default: /* REDUCESCATTERS */
        if (counts(a, 0, sizes)) return UNUSUAL;
        words_after(a);
        if (flops_at(a, 0, &flops) || element_at(a, 1, &element)) return UNUSUAL;
        bytes_of(a, element);
        if (me->tag < 0) all_pairs(me, sizes, 0), flops_of(me, flops);
        else reducescatter(me, sizes, flops, element);
        return PLAIN;
    }
}

static int rooted(Act *a, Member *me, int action) {
    i64 size, root;
    double flops;

    switch (action) {
    case BCASTS:
        if (alike_at(a, 2, &size) || root_at(a, 1, &root)) return UNUSUAL;
        if (me->tag < 0) from_root(me, NULL, size, root);
        else bcast(me, size, root);
        return PLAIN;
    case REDUCES:
        if (alike_at(a, 3, &size) || flops_at(a, 1, &flops) || root_at(a, 2, &root)) return UNUSUAL;
        reduce(me, size, root);
        flops_of(me, flops);
        return PLAIN;
    case GATHERS:
        if (alike_at(a, 3, &size) || root_at(a, 2, &root)) return UNUSUAL;
        to_root(me, size, root, GATHER);
        return PLAIN;
    default: /* SCATTERS */
        if (alike_at(a, 3, &size) || root_at(a, 2, &root)) return UNUSUAL;
        from_root(me, NULL, size, root);
        return PLAIN;
    }
}

static int unroll(Act *a, Member *me, int action) {
    i64 size, element;
    double flops = 0;

    switch (action) {
    case BARRIERS:
        if (me->tag < 0) barrier_at_once(me);
        else barrier(me);
        return PLAIN;
    case SCANS:
    case EXSCANS:
        if (size_at(a, 0, 2, &size) || size < 0 || flops_at(a, 1, &flops)) return UNUSUAL;
        scan(me, size, flops);
        return PLAIN;
    case ALLREDUCES:
        if (alike_at(a, 2, &size) || flops_at(a, 1, &flops) || element_at(a, 2, &element)) return UNUSUAL;
        allreduce(me, size, element);
        flops_of(me, flops);
        return PLAIN;
    case ALLGATHERS:
    case ALLTOALLS:
        if (alike_at(a, 2, &size)) return UNUSUAL;
        if (action == ALLTOALLS && me->tag == 0) alltoall(me, size);
        else if (action == ALLGATHERS) allgather(me, size);
        else pairs_in_turn(me, size);
        return PLAIN;
    case BCASTS:
    case REDUCES:
    case GATHERS:
    case SCATTERS:
        return rooted(a, me, action);
    default:
        return by_rank(a, me, action);
    }
}

/* Whether no rank leaves it before all have entered it. */
static int synchronises(int action) {
    return action == BARRIERS || action == ALLREDUCES || action == ALLGATHERS || action == ALLTOALLS ||
           action == ALLGATHERVS || action == ALLTOALLVS || action == REDUCESCATTERS;
}

/* Compares with what the first rank to come here has. */
static void compare(const Act *a, int action, i64 number) {
    Lowering *l = a->l;
    if (number == l->agreements) {
        if (!grow((void **)&l->agreed, number, &l->agreement_room, sizeof(Agreed))) a->s->failed = 1;
        else l->agreed[l->agreements++] = (Agreed){action, (int)a->root, a->size};
        return;
    }
    const Agreed *first = &l->agreed[number];
    l->unequal += first->size != a->size;
    l->differ |= first->action != action || first->root != a->root;
}

static int collective(Act *a, int action) {
    Reading *r = &a->l->ranks[a->rank];
    int begins = action >= BEGINS, blocking = begins ? action - BEGINS : action;
    int marked = a->l->mode >= KEEPING && !a->group && synchronises(action);
    Member me = {.s = a->s, .l = a->l, .rank = a->rank, .number = a->own, .size = a->group_size, .group = a->group};

    if (begins) me.tag = a->group ? BEGUN - 1 - (i64)(hash_of(a) >> 2) : BEGUN;
    if (marked) emit(a->s, a->rank, r->syncs, ENTER);
    if (unroll(a, &me, blocking)) return UNUSUAL;
    if (begins) keep_begun(a->s, a->l, a->rank, kind_of(blocking), me.flops);
    if (marked) {
        emit(a->s, a->rank, r->syncs++, LEAVE);
        r->synced = spread(r->synced * 0x9e3779b97f4a7c15u + (u64)action);
    }
    if (a->group) return PLAIN;
    i64 number = r->collectives++;
    if (a->l->mode != REPLAYING) compare(a, action, number);
    return PLAIN;
}

void compute_act(State *s, i64 rank, double flops) {
    s->t.counts[ACTIONS]++;
    s->lowering->ranks[rank].actions++;
    if (flops > 0) emit_value(s, rank, flops, COMPUTE);
}

int act(Act *a, const char *name, i64 length) {
    double value;
    int action = named(name, length), together = action >= BEGINS || collective_of(action);

    if (action < 0 || (a->group && !together)) return UNUSUAL;
    if (action == NOTHING) return PLAIN;
    if (action == INIT) {
        a->l->ranks[a->rank].element = a->number ? 8 : 1;
        return PLAIN;
    }

    if (action == COMPUTES) {
        if (flops_at(a, 0, &value)) return UNUSUAL;
        compute_act(a->s, a->rank, value);
        return PLAIN;
    }

    a->s->t.counts[ACTIONS]++;
    a->l->ranks[a->rank].actions++;
    if (together) return collective(a, action);
    switch (action) {
    case SLEEPS:
        if (flops_at(a, 0, &value)) return UNUSUAL;
        emit_value(a->s, a->rank, value, SLEEP);
        return PLAIN;
    case WAITALL:
        wait_for_all(a->s, a->l, a->rank);
        return PLAIN;
    case WAITANY:
        if (a->l->mode < KEEPING) return UNUSUAL;
        wait_any(a->s, a->l, a->rank);
        return PLAIN;
    default:
        return point_to_point(a, action);
    }
}

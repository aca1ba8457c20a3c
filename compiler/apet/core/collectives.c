/* Collective operations as messages. */

#include "reading.h"

enum { MOST_DOUBLED = 524288 };

static i64 other_rank(const Member *me, i64 member) { return me->group ? me->group[member] : member; }

static i64 post_to(Member *me, i64 target, i64 tag, i64 size, int how) {
    if (me->tag < 0) tag = me->tag;
    int channel = channel_of(me->s, me->l, me->rank, other_rank(me, target), tag);
    return me->s->failed ? DONE : post_send(me->s, me->l, me->rank, channel, size, how);
}

static i64 send_to(Member *me, i64 target, i64 tag, i64 size) { return post_to(me, target, tag, size, IMMEDIATE); }

i64 receive_from(Member *me, i64 source, i64 tag) {
    if (me->tag < 0) tag = me->tag;
    int channel = channel_of(me->s, me->l, other_rank(me, source), me->rank, tag);
    return me->s->failed ? DONE : post_receive(me->s, me->l, me->rank, channel);
}

static void note(Member *me, i64 request) {
    Lowering *l = me->l;
    if (request == DONE) return;
    if (!grow((void **)&l->requests, l->requested, &l->request_room, sizeof(i64))) me->s->failed = 1;
    else l->requests[l->requested++] = request;
}

static void wait_for_noted(Member *me, int as_they_end) {
    if (me->tag < 0) return;
    int several = as_they_end && me->l->requested > 1;
    if (several) gather_begin(me->s, me->rank);
    for (i64 k = 0; k < me->l->requested; k++) wait_for(me->s, me->rank, me->l->requests[k]);
    if (several) gather_end(me->s, me->rank);
    me->l->requested = 0;
}

static void wait_noted(Member *me) { wait_for_noted(me, 1); }

/* A blocking send. */
void send_out(Member *me, i64 target, i64 tag, i64 size) {
    note(me, post_to(me, target, tag, size, 0));
    wait_noted(me);
}

/* A blocking receive. */
void take_in(Member *me, i64 source, i64 tag) {
    note(me, receive_from(me, source, tag));
    wait_noted(me);
}

void flops_of(Member *me, double flops) {
    if (me->tag < 0) me->flops += flops;
    else if (flops > 0) emit_value(me->s, me->rank, flops, COMPUTE);
}

void barrier(Member *me) {
    if (me->s->t.barrier) {
        barrier_named(me);
    } else if (me->number) {
        send_out(me, 0, BARRIER, 0);
        note(me, receive_from(me, 0, BARRIER));
    } else {
        for (i64 r = 1; r < me->size; r++) note(me, receive_from(me, r, BARRIER));
        wait_noted(me);
        for (i64 r = 1; r < me->size; r++) note(me, send_to(me, r, BARRIER, 0));
    }
    wait_noted(me);
}

/* Rank 0 tells everybody without having heard of all. */
void barrier_at_once(Member *me) {
    i64 first = me->number == 0, last = me->number == 0 ? me->size : 1;
    for (i64 r = first; r < last; r++) note(me, receive_from(me, r, BARRIER));
    for (i64 r = first; r < last; r++) note(me, send_to(me, r, BARRIER, 0));
}

static void bcast_binomial(Member *me, i64 size, i64 root) {
    i64 relative = (me->number - root + me->size) % me->size, mask = 1;
    for (; mask < me->size; mask <<= 1)
        if (relative & mask) {
            take_in(me, (me->number - mask + me->size) % me->size, BCAST);
            break;
        }
    for (mask >>= 1; mask; mask >>= 1)
        if (relative + mask < me->size) send_out(me, (me->number + mask) % me->size, BCAST, size);
}

void to_root(Member *me, i64 size, i64 root, i64 tag) {
    if (me->number != root) {
        note(me, send_to(me, root, tag, size));
    } else {
        for (i64 r = 0; r < me->size; r++)
            if (r != root) note(me, receive_from(me, r, tag));
    }
    wait_noted(me);
}

void reduce(Member *me, i64 size, i64 root) {
    if (me->s->t.reduce == BINOMIAL_REDUCE && me->tag >= 0) reduce_binomial(me, size, root);
    else to_root(me, size, root, REDUCE);
}

void bcast(Member *me, i64 size, i64 root) {
    if (me->s->t.bcast == FLAT_BCAST) from_root(me, NULL, size, root);
    else bcast_binomial(me, size, root);
}

void allreduce_by_root(Member *me, i64 size) {
    to_root(me, size, 0, REDUCE);
    bcast_binomial(me, size, 0);
}

void allreduce(Member *me, i64 size, i64 element) {
    if (me->tag < 0) all_pairs(me, NULL, size);
    else if (me->s->t.allreduce == RING_ALLREDUCE) allreduce_ring(me, size, element);
    else if (me->s->t.allreduce == DOUBLED_ALLREDUCE) allreduce_doubling(me, size);
    else if (me->s->t.allreduce != REDUCE_BCAST) allreduce_by_root(me, size);
    else reduce(me, size, 0), bcast(me, size, 0);
}

void allgather(Member *me, i64 size) {
    if (me->s->t.allgather == RING_ALLGATHER && me->tag >= 0) pairs_by_distance(me, size);
    else pairs_in_turn(me, size);
}

void from_root(Member *me, const i64 *sizes, i64 size, i64 root) {
    if (me->number != root) {
        note(me, receive_from(me, root, SCATTER));
    } else {
        for (i64 r = 0; r < me->size; r++)
            if (r != root) note(me, send_to(me, r, SCATTER, sizes ? sizes[r] : size));
    }
    wait_noted(me);
}

void all_pairs(Member *me, const i64 *sizes, i64 size) {
    for (i64 r = 0; r < me->size; r++)
        if (r != me->number) note(me, receive_from(me, r, ALL));
    for (i64 r = 0; r < me->size; r++)
        if (r != me->number) note(me, send_to(me, r, ALL, sizes ? sizes[r] : size));
    wait_noted(me);
}

/* One other after the other: a send to it, a receive from it. */
void pairs_in_turn(Member *me, i64 size) {
    for (i64 r = 0; r < me->size; r++) {
        if (r == me->number) continue;
        note(me, send_to(me, r, ALL, size));
        note(me, receive_from(me, r, ALL));
    }
    wait_noted(me);
}

/* Receives from the next one on, then sends from the one before on downwards. */
static void pairs_around(Member *me, i64 size) {
    i64 n = me->size;
    for (i64 k = 1; k < n; k++) note(me, receive_from(me, (me->number + k) % n, ALL));
    for (i64 k = 1; k < n; k++) note(me, send_to(me, (me->number + n - k) % n, ALL, size));
    wait_noted(me);
}

/* A send and a receive at once. */
void swap(Member *me, i64 target, i64 source, i64 tag, i64 size) {
    note(me, send_to(me, target, tag, size));
    note(me, receive_from(me, source, tag));
    wait_noted(me);
}

static void bruck(Member *me, i64 size) {
    for (i64 mask = 1; mask < me->size; mask <<= 1) {
        i64 blocks = 0;
        for (i64 block = 1; block < me->size; block++) blocks += (block & mask) != 0;
        i64 source = (me->number - mask + me->size) % me->size;
        swap(me, (me->number + mask) % me->size, source, EXCHANGE, product(&me->l->exceeded, size, blocks));
    }
}

static void pairwise(Member *me, i64 size) {
    for (i64 i = 1; i < me->size; i++) swap(me, me->number ^ i, me->number ^ i, EXCHANGE, size);
}

typedef struct { i64 from, below, least, most; } Range;

static const Range BRUCK[] = {{16, 32, 4, 512}, {32, 64, 0, 512}, {64, 512, 0, 1024}, {512, 2048, 0, 512},
                              {2048, 4096, 0, 1024}, {4096, INT64_MAX, 0, 2048}};
static const Range PAIRWISE[] = {{4, 5, 524288, 1048576}, {64, 256, 262144, INT64_MAX}, {256, 512, 32768, INT64_MAX},
                                 {512, 1024, 262144, INT64_MAX}};

static int applies(const Range *table, size_t bytes, i64 number, i64 size) {
    for (const Range *row = table; row < table + bytes / sizeof(Range); row++)
        if (row->from <= number && number < row->below && row->least <= size && size < row->most) return 1;
    return 0;
}

void alltoall(Member *me, i64 size) {
    i64 n = me->size, named = me->s->t.alltoall;
    if (named == RING_ALLTOALL) pairs_by_distance(me, size);
    else if (named == BRUCK_ALLTOALL) bruck(me, size);
    else if (named == LINEAR_ALLTOALL) pairs_around(me, size);
    else if (applies(BRUCK, sizeof(BRUCK), n, size)) bruck(me, size);
    else if (applies(PAIRWISE, sizeof(PAIRWISE), n, size) && (n & (n - 1)) == 0) pairwise(me, size);
    else pairs_around(me, size);
}

/* A replay has no operation that commutes: parts are waited for in turn. */
void scan(Member *me, i64 size, double flops) {
    for (i64 r = 0; r < me->number; r++) note(me, receive_from(me, r, SCAN));
    for (i64 r = me->number + 1; r < me->size; r++) note(me, send_to(me, r, SCAN, size));
    wait_for_noted(me, 0);
    flops_of(me, flops);
}

/* Of parts that are within the limit together. */
static i64 sum_of(const i64 *sizes, i64 first, i64 last) {
    i64 sum = 0;
    for (; first < last; first++) sum += sizes[first];
    return sum;
}

static void pass_on(Member *me, i64 mask, i64 complete, i64 size) {
    for (i64 step = mask >> 1; step; step >>= 1) {
        i64 other = me->number ^ step, limit = (me->number & -(2 * step)) + complete;
        if (me->number < limit && limit <= other) send_out(me, other, EXCHANGE, size);
        else if (other < limit && limit <= me->number) note(me, receive_from(me, other, EXCHANGE));
        wait_noted(me);
    }
}

static void doubling(Member *me, const i64 *sizes) {
    i64 n = me->size, total = sum_of(sizes, 0, n);
    for (i64 mask = 1; mask < n; mask <<= 1) {
        i64 other = me->number ^ mask, first = me->number & -mask, there = other & -mask;
        if (other < n) {
            i64 mine = sum_of(sizes, first, first + mask < n ? first + mask : n);
            swap(me, other, other, EXCHANGE, total - mine);
        }
        if (there + mask > n) pass_on(me, mask, n - first - mask, total - sum_of(sizes, there, n));
    }
}

void reducescatter(Member *me, const i64 *sizes, double flops, i64 element) {
    i64 n = me->size, total = sum_of(sizes, 0, n), equal = 1;
    for (i64 r = 1; r < n; r++) equal &= sizes[r] == sizes[0];
    if (me->s->t.reduce_scatter == RING_REDUCE_SCATTER) {
        reducescatter_ring(me, sizes);
    } else if (equal) {
        to_root(me, total, 0, REDUCE);
        from_root(me, sizes, 0, 0);
    } else if (total > MOST_DOUBLED * element) {
        for (i64 distance = 1; distance < n; distance++) {
            i64 target = (me->number + distance) % n;
            swap(me, target, (me->number - distance + n) % n, EXCHANGE, sizes[target]);
        }
    } else {
        doubling(me, sizes);
    }

    flops_of(me, flops);
}

void exchange(Member *me, i64 size, i64 target, i64 source) {
    if (target == me->rank && source == me->rank) return;
    swap(me, target, source, 0, size);
}

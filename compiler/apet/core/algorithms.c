/* Collective operations by algorithms that a platform names, as SimGrid 3.32 has them (src/smpi/colls). */

#include "reading.h"

void barrier_named(Member *me) {
    i64 n = me->size, k = me->number, below = 1;
    switch (me->s->t.barrier) {
    case DOUBLED_BARRIER:
        while (2 * below <= n) below *= 2;
        if (k >= below) {
            swap(me, k - below, k - below, BARRIER, 0);
            return;
        }
        if (k + below < n) take_in(me, k + below, BARRIER);
        for (i64 mask = 1; mask < below; mask *= 2) swap(me, k ^ mask, k ^ mask, BARRIER, 0);
        if (k + below < n) send_out(me, k + below, BARRIER, 0);
        return;
    case BRUCK_BARRIER:
        for (i64 d = 1; d < n; d *= 2) swap(me, (k + d) % n, (k + n - d) % n, BARRIER, 0);
        return;
    default: /* TREE_BARRIER: up, then down */
        for (; below < n; below *= 2) {
            i64 other = k ^ below;
            if (other & (below - 1) || other >= n) continue;
            if (other > k) take_in(me, other, BARRIER);
            else send_out(me, other, BARRIER, 0);
        }
        for (below /= 2; below; below /= 2) {
            i64 other = k ^ below;
            if (other & (below - 1) || other >= n) continue;
            if (other > k) send_out(me, other, BARRIER, 0);
            else take_in(me, other, BARRIER);
        }
    }
}

void reduce_binomial(Member *me, i64 size, i64 root) {
    i64 n = me->size, relative = (me->number - root + n) % n;
    if (!size) return;
    for (i64 mask = 1; mask < n; mask *= 2) {
        if (relative & mask) {
            send_out(me, ((relative & ~mask) + root) % n, REDUCE, size);
            return;
        }
        if ((relative | mask) < n) take_in(me, ((relative | mask) + root) % n, REDUCE);
    }
}

/* Each part of an n-th goes around twice; what is left of a division is for all at once. */
void allreduce_ring(Member *me, i64 size, i64 element) {
    i64 n = me->size, k = me->number, count = size / element, part = count / n * element;
    for (i64 step = 0; part && step < 2 * (n - 1); step++) swap(me, (k + 1) % n, (k + n - 1) % n, EXCHANGE, part);
    if (count % n || !part) allreduce_by_root(me, size - n * part);
}

void allreduce_doubling(Member *me, i64 size) {
    i64 n = me->size, k = me->number, below = 1;
    while (2 * below <= n) below *= 2;
    i64 rest = n - below, among = k < 2 * rest ? k / 2 : k - rest;
    if (k < 2 * rest && k % 2 == 0) {
        send_out(me, k + 1, EXCHANGE, size);
        take_in(me, k + 1, EXCHANGE);
        return;
    }
    if (k < 2 * rest) take_in(me, k - 1, EXCHANGE);
    for (i64 mask = 1; mask < below; mask *= 2) {
        i64 other = among ^ mask, target = other < rest ? 2 * other + 1 : other + rest;
        swap(me, target, target, EXCHANGE, size);
    }
    if (k < 2 * rest) send_out(me, k - 1, EXCHANGE, size);
}

/* In step i each sends to the i-th after it, and receives from the i-th before it. */
void pairs_by_distance(Member *me, i64 size) {
    for (i64 i = 1; i < me->size; i++)
        swap(me, (me->number + i) % me->size, (me->number - i + me->size) % me->size, ALL, size);
}

/* Parts go around once; the next receive is posted before a part goes on. */
void reducescatter_ring(Member *me, const i64 *sizes) {
    i64 n = me->size, k = me->number, to = (k + 1) % n, from = (k + n - 1) % n;
    if (n < 2) return;
    i64 open = receive_from(me, from, EXCHANGE);
    for (i64 i = 1; i < n; i++) {
        i64 before = open;
        if (i > 1) {
            open = receive_from(me, from, EXCHANGE);
            if (before != DONE) wait_for(me->s, me->rank, before);
        }
        send_out(me, to, EXCHANGE, sizes[(k + n - i) % n]);
    }
    if (open != DONE) wait_for(me->s, me->rank, open);
}

/* What is known of when the flows of a link begin, and sums of their amounts. */

#ifndef APET_APART_H
#define APET_APART_H

#include "core.h"

/* How many keys from the front are not above a value; searched from `hint` on. The keys do not fall. */
static inline i64 count(const double *keys, i64 number, double value, i64 hint) {
    int above = hint == number || keys[hint] > value;
    if (above && (hint == 0 || keys[hint - 1] <= value)) return hint;
    i64 low, high, step = 1;
    if (!above) {
        low = hint + 1;
        while (low + step <= number && keys[low + step - 1] <= value) {
            low += step;
            step *= 2;
        }
        high = low + step - 1 < number ? low + step - 1 : number;
    } else {
        high = hint;
        while (high - step >= 0 && keys[high - step] > value) {
            high -= step;
            step *= 2;
        }
        low = high - step >= 0 ? high - step + 1 : 0;
    }

    while (low < high) {
        i64 middle = low + (high - low) / 2;
        if (keys[middle] <= value) low = middle + 1;
        else high = middle;
    }

    return low;
}

/* A side's clock when it posts a message. */
static inline double clock_of(const Apart *a, i64 m, int side) {
    int stage = a->stage[2 * m + side];
    return stage < 0 ? -INFINITY : a->begun[stage];
}

typedef struct { int seen; float since; } Entry; /* seconds since that stage began */

/* What is known of a rank when a message begins: what its sender knew, or its receiver. */
static inline Entry known_of(const Apart *a, i64 m, i64 rank) {
    Entry known = {-1, -INFINITY};
    for (int side = 0; side < 2; side++) {
        if (a->stage[2 * m + side] < 0) continue;
        i64 at = a->stage[2 * m + side] * a->ranks + rank;
        if (a->seen[at] < known.seen || (a->seen[at] == known.seen && a->since[at] <= known.since)) continue;
        known = (Entry){a->seen[at], a->since[at]};
    }
    return known;
}

/* The clock of a rank of which this is known, at least. */
static inline double least_clock(const Apart *a, Entry known) {
    return known.seen < 0 ? -INFINITY : a->begun[known.seen] + known.since;
}

static inline __attribute__((always_inline)) void
add_all(double *restrict to, const double *restrict what, i64 columns) {
    for (i64 c = 0; c < columns; c++) to[c] += what[c];
}

/* Loops of known length for up to as many kinds of flows as are distinguished. */
static inline void add(double *to, const double *what, i64 columns) {
    switch (columns) {
    case 3: add_all(to, what, 3); break;
    case 5: add_all(to, what, 5); break;
    case 7: add_all(to, what, 7); break;
    case 9: add_all(to, what, 9); break;
    default: add_all(to, what, columns);
    }
}

#endif

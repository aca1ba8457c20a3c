/* How much of what shares a link can be under way at once: chains of flows, and their densest runs. */

#include "apart.h"

/* Seconds that lie between the beginnings of a message and another at least, by the clocks of both ends; below 0 where
 * that may begin earlier. `ends`: by pair, source and target. */
static double between(const Apart *a, const i64 *pair, const int *ends, i64 m, i64 other) {
    double least = INFINITY;
    for (int side = 0; side < 2 && least >= 0; side++) {
        Entry known = known_of(a, other, ends[2 * pair[m] + side]);
        double gap = known.seen >= a->stage[2 * m + side] ? least_clock(a, known) - clock_of(a, m, side) : -1;
        if (gap < least) least = gap;
    }
    return least;
}

/* Whether a message is known to have ended when another begins. */
static int ended_before(const Apart *a, const i64 *pair, const int *ends, i64 m, i64 other) {
    for (int side = 0; side < 2; side++)
        if (known_of(a, other, ends[2 * pair[m] + side]).seen >= a->ended[2 * m + side]) return 1;
    return 0;
}

enum { MOST_OPEN = 64 };

/* Parts the flows of each group into chains: each flow goes on the first one whose last flow ended before it begins, else
 * on the first one whose last flow began before. By flow its chain, numbered from 0, the seconds since the one before it
 * began (-1: it is the first), and whether that one has ended. */
void apet_chains(const Apart *a, const i64 *pair, const int *ends, const i64 *group, i64 *chain, double *since,
                 i64 *after) {
    i64 last[MOST_OPEN], open = 0, number = 0;

    for (i64 k = 0; k < a->flows; k++) {
        if (k && group[k] != group[k - 1]) open = 0;
        i64 m = a->message[k], c = 0;
        while (c < open && !ended_before(a, pair, ends, a->message[last[c]], m)) c++;
        after[k] = c < open;
        if (!after[k])
            for (c = 0; c < open && between(a, pair, ends, a->message[last[c]], m) < 0;) c++;

        since[k] = c < open ? between(a, pair, ends, a->message[last[c]], m) : -1;
        if (since[k] < 0 && after[k]) since[k] = 0;
        chain[k] = c < open ? chain[last[c]] : number++;
        if (c == open && open < MOST_OPEN) open++;
        last[c < open ? c : open - 1] = k;
    }
}

/* Sums of the amounts of all flows before each, in an order of the flows. */
static void sums_before(i64 flows, i64 columns, const double *amount, const i64 *order, double *sums) {
    memset(sums, 0, (size_t)columns * sizeof(double));
    for (i64 k = 0; k < flows; k++)
        for (i64 c = 0; c < columns; c++)
            sums[(k + 1) * columns + c] = sums[k * columns + c] + amount[order[k] * columns + c];
}

/* The sum over chains of their densest runs, from each flow on as far as it reaches, and a stretch of time more: the
 * greatest of each column. */
static void densest(const Dense *d, double more, const double *sums, double *greatest, double *sums_of_chains) {
    i64 columns = d->columns;
    for (i64 chain = 0; chain < d->chains; chain++) {
        const double *begins = d->begins + d->first[chain], *reach = d->reach + d->first[chain];
        const double *from = sums + d->first[chain] * columns;
        i64 number = d->first[chain + 1] - d->first[chain], last = 0;
        memset(greatest, 0, (size_t)columns * sizeof(double));
        for (i64 k = 0; k < number; k++) {
            last = count(begins, number, begins[k] + reach[k] + more, last < number ? last : number);
            const double *ends = from + last * columns, *starts = from + k * columns;
            for (i64 c = 0; c < columns; c++)
                if (ends[c] - starts[c] > greatest[c]) greatest[c] = ends[c] - starts[c];
        }
        add(sums_of_chains, greatest, columns);
    }
}

/* The densest runs for several stretches of time; to be 0 at first. 1 if memory ran out. */
i64 apet_densest(const Dense *d) {
    double *sums = malloc((size_t)(d->flows + 2) * d->columns * sizeof(double));
    if (!sums) return 1;
    sums_before(d->flows, d->columns, d->amount, d->order, sums);
    double *greatest = sums + (d->flows + 1) * d->columns;
    for (i64 k = 0; k < d->stretches; k++) densest(d, d->stretch[k], sums, greatest, d->densest + k * d->columns);
    free(sums);
    return 0;
}

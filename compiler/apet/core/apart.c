/* Which flows of a link are over before each other: by clocks and dates. */

#include "apart.h"

enum { STAGES, CLOCKS, ENDS_KNOWN, SIDE };           /* what is asked of a side ... */
enum { DATED = 2 * SIDE, SYNCHRONISED, CRITERIA };   /* ... and of both */

/* The keys of a group's members, each the greatest up to there. */
static void keys_of(const Apart *a, const i64 *members, i64 number, double *keys) {
    for (i64 k = 0; k < number; k++) {
        i64 m = a->message[members[k]];
        double now[CRITERIA];
        for (int side = 0; side < 2; side++) {
            now[side * SIDE + STAGES] = a->stage[2 * m + side];
            now[side * SIDE + CLOCKS] = clock_of(a, m, side) + a->most[m];
            now[side * SIDE + ENDS_KNOWN] = a->ended[2 * m + side];
        }
        now[DATED] = a->ends[m];
        now[SYNCHRONISED] = a->until_sync[m];
        for (int c = 0; c < CRITERIA; c++) {
            double before = k ? keys[c * number + k - 1] : -INFINITY;
            keys[c * number + k] = now[c] > before ? now[c] : before;
        }
    }
}

static i64 count_of(const double *keys, i64 number, int which, double value, i64 *hints) {
    return hints[which] = count(keys + which * number, number, value, hints[which]);
}

static i64 larger(i64 one, i64 other) { return one > other ? one : other; }

/* How many of a group are over before a flow. Dates first: often they tell. */
static i64 over(const Apart *a, i64 group, i64 number, const double *keys, i64 flow, i64 *hints) {
    i64 m = a->message[flow], far = number;
    i64 known = count_of(keys, number, SYNCHRONISED, a->after_sync[m], hints);

    if (known < number) known = larger(known, count_of(keys, number, DATED, a->begins[m], hints));
    if (known == number) return number;
    Entry at[2] = {known_of(a, m, a->sender[group]), known_of(a, m, a->receiver[group])};
    for (int side = 0; side < 2 && known < number; side++)
        known = larger(known, count_of(keys, number, side * SIDE + ENDS_KNOWN, at[side].seen, hints));
    for (int side = 0; side < 2 && known < far; side++) {
        i64 staged = count_of(keys, number, side * SIDE + STAGES, at[side].seen, hints);
        if (staged < far) far = staged;
        if (known >= far) break;
        i64 clocked = count_of(keys, number, side * SIDE + CLOCKS, least_clock(a, at[side]) + a->latency[m], hints);
        if (clocked < far) far = clocked;
    }

    return larger(known, far);
}

enum { MOST_MEMBERS = 8192 };

/* Keys of a group's members, and how many of them are over before a flow. */
typedef void (*Keys)(const Apart *a, const i64 *members, i64 number, double *keys);
typedef i64 (*Over)(const Apart *a, i64 group, i64 number, const double *keys, i64 flow, i64 *hints);

/* Some groups, one after the other: by member its keys; by member and one more the amounts of those before it, and
 * those of the flows that it is the last to be over before. */
typedef struct {
    const Apart *a;
    i64 from, to; /* groups */
    i64 criteria; /* keys of each member */
    double *keys, *sums, *later;
    i64 *hints;
} Batch;

static void batch_begin(Batch *b, Keys keys_in) {
    const Apart *a = b->a;
    size_t row = (size_t)a->columns * sizeof(double);
    double *sums = b->sums, *keys = b->keys;

    for (i64 g = b->from; g < b->to; g++) {
        const i64 *members = a->member + a->first[g];
        i64 number = a->first[g + 1] - a->first[g];
        keys_in(a, members, number, keys);
        memset(sums, 0, row);
        for (i64 k = 0; k < number; k++, sums += a->columns) {
            memcpy(sums + a->columns, sums, row);
            add(sums + a->columns, a->amount + members[k] * a->columns, a->columns);
        }
        sums += a->columns;
        keys += number * b->criteria;
    }

    memset(b->later, 0, (size_t)(sums - b->sums) * sizeof(double));
    memset(b->hints, 0, (size_t)((b->to - b->from) * b->criteria) * sizeof(i64));
}

enum { AHEAD = 6 };

/* Fetches what is known by rank when a flow begins. */
static void batch_fetch(const Batch *b, i64 flow) {
    const Apart *a = b->a;
    if (flow >= a->flows || !a->sender) return;
    for (int side = 0; side < 2; side++) {
        i64 row = a->stage[2 * a->message[flow] + side] * a->ranks;
        if (row < 0) continue;
        for (i64 g = b->from; g < b->to; g++) {
            __builtin_prefetch(a->seen + row + a->sender[g]);
            __builtin_prefetch(a->since + row + a->sender[g]);
            if (!a->receiver) continue;
            __builtin_prefetch(a->seen + row + a->receiver[g]);
            __builtin_prefetch(a->since + row + a->receiver[g]);
        }
    }
}

/* Adds, by flow, what is over before it, and keeps it for those. */
static void batch_flow(Batch *b, Over over_in, i64 flow) {
    const Apart *a = b->a;
    i64 columns = a->columns;
    double *before = a->before + flow * columns;
    const double *amount = a->amount + flow * columns;

    for (i64 g = b->from; g < b->to; g++) {
        i64 behind = a->first[g] - a->first[b->from], number = a->first[g + 1] - a->first[g];
        i64 counted = over_in(a, g, number, b->keys + behind * b->criteria, flow, b->hints + (g - b->from) * b->criteria);
        if (!counted) continue;
        i64 row = behind + (g - b->from) + counted;
        add(before, b->sums + row * columns, columns);
        add(b->later + row * columns, amount, columns);
    }
}

/* Adds, by member, the flows that begin after it. */
static void batch_end(Batch *b) {
    const Apart *a = b->a;
    i64 columns = a->columns;
    double *later = b->later;

    for (i64 g = b->from; g < b->to; g++) {
        const i64 *members = a->member + a->first[g];
        i64 number = a->first[g + 1] - a->first[g];
        for (i64 k = number; k-- > 0;) {
            add(a->after + members[k] * columns, later + (k + 1) * columns, columns);
            add(later + k * columns, later + (k + 1) * columns, columns);
        }
        later += (number + 1) * columns;
    }
}

static i64 most_in_batch(const Apart *a) {
    i64 most = MOST_MEMBERS;
    for (i64 g = 0; g < a->groups; g++)
        if (a->first[g + 1] - a->first[g] > most) most = a->first[g + 1] - a->first[g];
    return most < a->first[a->groups] ? most : a->first[a->groups];
}

/* Flow by flow, as what is known when one begins lies together; as many groups at a time as fit into the cache. */
static int add_groups(const Apart *a, i64 criteria, Keys keys_in, Over over_in) {
    i64 most = most_in_batch(a);
    size_t rows = (size_t)(most + a->groups + 1) * a->columns * sizeof(double);
    Batch b = {.a = a, .criteria = criteria, .sums = malloc(rows), .later = malloc(rows)};

    b.keys = malloc((size_t)((most + 1) * criteria) * sizeof(double));
    b.hints = malloc((size_t)((a->groups + 1) * criteria) * sizeof(i64));
    int failed = !b.keys || !b.sums || !b.later || !b.hints;
    while (!failed && b.to < a->groups) {
        for (b.from = b.to++; b.to < a->groups && a->first[b.to + 1] - a->first[b.from] <= most;) b.to++;
        batch_begin(&b, keys_in);
        for (i64 flow = 0; flow < a->flows; flow++) {
            batch_fetch(&b, flow + AHEAD);
            batch_flow(&b, over_in, flow);
        }
        batch_end(&b);
    }

    free(b.keys);
    free(b.sums);
    free(b.later);
    free(b.hints);
    return failed;
}

/* Adds, by flow, the amounts that are over before it and that begin after it has ended. 1 if memory ran out. */
i64 apet_apart(const Apart *a) { return add_groups(a, CRITERIA, keys_of, over); }

/* By what one rank, the `sender`, knows to have ended; `ended` is by flow. */
static void stages_of(const Apart *a, const i64 *members, i64 number, double *keys) {
    for (i64 k = 0; k < number; k++) keys[k] = a->ended[members[k]];
}

static i64 over_by_stage(const Apart *a, i64 group, i64 number, const double *keys, i64 flow, i64 *hints) {
    return hints[0] = count(keys, number, known_of(a, a->message[flow], a->sender[group]).seen, hints[0]);
}

/* The same from what ranks know to have ended. */
i64 apet_known(const Apart *a) { return add_groups(a, 1, stages_of, over_by_stage); }

/* By one date. */
static void ends_of(const Apart *a, const i64 *members, i64 number, double *keys) {
    for (i64 k = 0; k < number; k++) keys[k] = a->ends[a->message[members[k]]];
}

static i64 over_by_date(const Apart *a, i64 group, i64 number, const double *keys, i64 flow, i64 *hints) {
    (void)group;
    return hints[0] = count(keys, number, a->begins[a->message[flow]], hints[0]);
}

/* The same from dates; one group, by the date by which each has ended. */
i64 apet_dated(const Apart *a) { return add_groups(a, 1, ends_of, over_by_date); }

/* Which flows of a link are over before each other: by clocks and dates. */

enum { STAGES, CLOCKS, ENDS_KNOWN, SIDE };           /* what is asked of a side ... */
enum { DATED = 2 * SIDE, SYNCHRONISED, CRITERIA };   /* ... and of both */

typedef struct {
    i64 flows, columns, messages, groups;
    const i64 *message;                              /* by flow */
    const double *amount;                            /* by flow, rows */
    const i64 *first, *member, *sender, *receiver;   /* by group */
    const int *seen, *stage, *ended;                 /* by rank and message; by message and side */
    const double *since, *clock;
    const double *latency, *begins, *ends, *after_sync, *until_sync, *most; /* by message */
    double *before, *after;                          /* by flow, rows */
} Apart;

/* How many keys from the front are not above a value; found near `hint`. The keys do not fall. */
static i64 count(const double *keys, i64 number, double value, i64 hint) {
    i64 low, high, step = 1;
    if (hint < number && keys[hint] <= value) {
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

/* The keys of a group's members, each the greatest up to there. */
static void keys_of(const Apart *a, const i64 *members, i64 number, double *keys) {
    for (i64 k = 0; k < number; k++) {
        i64 m = a->message[members[k]];
        double now[CRITERIA];
        for (int side = 0; side < 2; side++) {
            now[side * SIDE + STAGES] = a->stage[2 * m + side];
            now[side * SIDE + CLOCKS] = a->clock[2 * m + side] + a->most[m];
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

/* How many of a group are over before a flow. */
static i64 over(const Apart *a, i64 group, i64 number, const double *keys, i64 flow, i64 *hints) {
    i64 m = a->message[flow], far = number, known = 0;
    for (int side = 0; side < 2; side++) {
        i64 at = (side ? a->receiver[group] : a->sender[group]) * a->messages + m;
        double values[SIDE] = {a->seen[at], a->since[at] + a->latency[m], a->seen[at]};
        for (int c = 0; c < SIDE; c++) {
            int which = side * SIDE + c;
            i64 found = hints[which] = count(keys + which * number, number, values[c], hints[which]);
            if (c == ENDS_KNOWN) known = found > known ? found : known;
            else far = found < far ? found : far;
        }
    }
    i64 dated = hints[DATED] = count(keys + DATED * number, number, a->begins[m], hints[DATED]);
    i64 synced = hints[SYNCHRONISED] = count(keys + SYNCHRONISED * number, number, a->after_sync[m], hints[SYNCHRONISED]);
    known = known > dated ? known : dated;
    known = known > synced ? known : synced;
    return known > far ? known : far;
}

static void add(double *to, const double *what, i64 columns) {
    for (i64 c = 0; c < columns; c++) to[c] += what[c];
}

typedef struct { double *sums, *later; } Totals;

/* Of a group, `counts[flow]` are over before each flow, from the front: adds their amounts, and to each member those of
 * the flows that it is over before. */
static void add_sums(i64 flows, i64 columns, const double *amount, const i64 *members, i64 number, const i64 *counts,
                     Totals *t, double *before, double *after) {
    memset(t->sums, 0, (size_t)columns * sizeof(double));
    memset(t->later, 0, (size_t)(number + 1) * columns * sizeof(double));
    for (i64 k = 0; k < number; k++) {
        memcpy(t->sums + (k + 1) * columns, t->sums + k * columns, (size_t)columns * sizeof(double));
        add(t->sums + (k + 1) * columns, amount + members[k] * columns, columns);
    }
    for (i64 flow = 0; flow < flows; flow++) {
        i64 found = counts[flow];
        if (!found) continue;
        add(before + flow * columns, t->sums + found * columns, columns);
        add(t->later + found * columns, amount + flow * columns, columns);
    }
    for (i64 k = number; k-- > 0;) {
        add(after + members[k] * columns, t->later + (k + 1) * columns, columns);
        add(t->later + k * columns, t->later + (k + 1) * columns, columns);
    }
}

static int totals_begin(Totals *t, i64 longest, i64 columns) {
    t->sums = malloc((size_t)(longest + 2) * columns * sizeof(double));
    t->later = malloc((size_t)(longest + 2) * columns * sizeof(double));
    return !t->sums || !t->later;
}

static void totals_end(Totals *t) {
    free(t->sums);
    free(t->later);
}

/* The same for one group whose counts are known. 1 if memory ran out. */
int apet_sums(i64 flows, i64 columns, const double *amount, i64 number, const i64 *members, const i64 *counts,
              double *before, double *after) {
    Totals t;
    int failed = totals_begin(&t, number, columns);
    if (!failed) add_sums(flows, columns, amount, members, number, counts, &t, before, after);
    totals_end(&t);
    return failed;
}

/* Adds, by flow, the amounts that are over before it and that begin after it has ended. 1 if memory ran out. */
int apet_apart(const Apart *a) {
    i64 longest = 0;
    for (i64 g = 0; g < a->groups; g++)
        if (a->first[g + 1] - a->first[g] > longest) longest = a->first[g + 1] - a->first[g];
    double *keys = malloc((size_t)(longest + 1) * CRITERIA * sizeof(double));
    i64 *counts = malloc((size_t)(a->flows + 1) * sizeof(i64));
    Totals t;
    int failed = totals_begin(&t, longest, a->columns) || !keys || !counts;
    for (i64 g = 0; g < a->groups && !failed; g++) {
        const i64 *members = a->member + a->first[g];
        i64 number = a->first[g + 1] - a->first[g], hints[CRITERIA] = {0};
        keys_of(a, members, number, keys);
        for (i64 flow = 0; flow < a->flows; flow++) counts[flow] = over(a, g, number, keys, flow, hints);
        add_sums(a->flows, a->columns, a->amount, members, number, counts, &t, a->before, a->after);
    }
    free(keys);
    free(counts);
    totals_end(&t);
    return failed;
}

/* The sum over chains of their densest runs, from each member on as far as it reaches: the greatest of each column.
 * `sums`: of the amounts of all members before each. */
void apet_densest(i64 chains, i64 columns, const i64 *first, const double *begins, const double *reach, double more,
                  const double *sums, double *densest, double *greatest) {
    for (i64 chain = 0; chain < chains; chain++) {
        i64 from = first[chain], number = first[chain + 1] - from, last = 0;
        memset(greatest, 0, (size_t)columns * sizeof(double));
        for (i64 k = 0; k < number; k++) {
            last = count(begins + from, number, begins[from + k] + reach[from + k] + more, last < number ? last : number);
            const double *ends = sums + (from + last) * columns, *starts = sums + (from + k) * columns;
            for (i64 c = 0; c < columns; c++)
                if (ends[c] - starts[c] > greatest[c]) greatest[c] = ends[c] - starts[c];
        }
        add(densest, greatest, columns);
    }
}

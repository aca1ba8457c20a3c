/* GOAL: the operations of a rank brought into an order and written as lines of a trace. */

#include <stdarg.h>
#include <stdio.h>

#include "goal.h"

enum { LONGEST_LINE = 160 };

/* Needs by operation that they lead from, and by operation in that order what has to have ended before it. */
static int sort_needs(Goal *g) {
    size_t n = (size_t)g->count, m = (size_t)g->needed + 1;
    g->behind_first = calloc(n + 2, sizeof(int));
    g->before_first = calloc(n + 2, sizeof(int));
    g->behind = malloc(m * sizeof(int));
    g->before = malloc(m * sizeof(int));
    if (!g->behind_first || !g->before_first || !g->behind || !g->before) return 0;
    for (i64 k = 0; k < g->needed; k++) {
        g->behind_first[g->needs[k].from + 2]++;
        if (g->needs[k].ends) g->before_first[g->needs[k].to + 2]++;
        g->operations[g->needs[k].to].left++;
    }
    for (size_t k = 2; k < n + 2; k++) {
        g->behind_first[k] += g->behind_first[k - 1];
        g->before_first[k] += g->before_first[k - 1];
    }
    for (i64 k = 0; k < g->needed; k++) g->behind[g->behind_first[g->needs[k].from + 1]++] = (int)k;
    for (i64 k = 0; k < g->needed; k++) {
        const Need *need = &g->needs[g->behind[k]];
        if (need->ends) g->before[g->before_first[need->to + 1]++] = need->from;
    }
    return 1;
}

static void push(Goal *g, i64 k) {
    i64 key = (i64)g->operations[k].kind << 40 | k, at = g->heaped++;
    for (; at && g->heap[(at - 1) / 2] > key; at = (at - 1) / 2) g->heap[at] = g->heap[(at - 1) / 2];
    g->heap[at] = key;
}

static i64 pop(Goal *g) {
    i64 least = g->heap[0], key = g->heap[--g->heaped], at = 0;
    for (i64 child; (child = 2 * at + 1) < g->heaped; at = child) {
        if (child + 1 < g->heaped && g->heap[child + 1] < g->heap[child]) child++;
        if (g->heap[child] >= key) break;
        g->heap[at] = g->heap[child];
    }
    g->heap[at] = key;
    return least & (((i64)1 << 40) - 1);
}

static void say(Goal *g, const char *format, ...) {
    while (!g->failed && g->text_room < g->length + LONGEST_LINE)
        if (!grow((void **)&g->text, g->text_room, &g->text_room, 1)) g->failed = 1;
    if (g->failed) return;
    va_list words;
    va_start(words, format);
    g->length += vsnprintf(g->text + g->length, LONGEST_LINE, format, words);
    va_end(words);
    g->actions++;
}

/* The first operation of the kind, partner and tag of one: with oneself, waits do not tell sends from receives. */
static Operation *like(Goal *g, i64 k) {
    Operation *o = &g->operations[k];
    int itself = o->partner == g->rank, kind = itself ? RECV : o->kind;
    u64 at = mixed_with(mixed_with((u64)kind + 1, (u64)o->partner), (u64)o->tag) & (u64)(g->slots - 1);
    for (; g->table[at] != NONE; at = (at + 1) & (u64)(g->slots - 1)) {
        Operation *other = &g->operations[g->table[at]];
        if (other->partner == o->partner && other->tag == o->tag && (itself || other->kind == kind)) return other;
    }
    g->table[at] = (int)k;
    o->first = o->last = NONE;
    return o;
}

static void post(Goal *g, i64 k) {
    Operation *o = &g->operations[k], *all = like(g, k);
    say(g, "%lld %s %lld %lld %lld 6\n", (long long)g->rank, o->kind == RECV ? "irecv" : "isend", (long long)o->partner,
        (long long)o->tag, (long long)o->size);
    o->open = 1;
    o->next = NONE;
    if (all->first == NONE) all->first = (int)k;
    else g->operations[all->last].next = (int)k;
    all->last = (int)k;
}

static void wait(Goal *g, i64 k) {
    Operation *o = &g->operations[k], *all;
    if (!o->open) return;
    all = like(g, k);
    int older = 0, before = NONE;
    for (int other = all->first; other != k; other = g->operations[other].next, older++) before = other;
    if (before == NONE) all->first = o->next;
    else g->operations[before].next = o->next;
    if (all->last == k) all->last = before;
    o->open = 0;

    int receives = o->kind == RECV || o->partner == g->rank;
    say(g, "%lld wait %lld %lld %lld", (long long)g->rank, (long long)(receives ? o->partner : g->rank),
        (long long)(receives ? g->rank : o->partner), (long long)o->tag);
    g->actions--;
    if (older) say(g, " # request %d\n", older);
    else say(g, "\n");
}

static void compute_for(Goal *g, double flops) {
    if (!(flops > 0)) return;
    int whole = flops < 1e15 && flops == (double)(i64)flops;
    say(g, whole ? "%lld compute %.0f\n" : "%lld compute %.17g\n", (long long)g->rank, flops);
}

/* Orders the operations, and makes the lines; their bytes, or what is wrong. A second of computing is `rate` flops. */
i64 apet_goal_lines(Goal *g, double rate, i64 *result) {
    for (i64 k = 0; k < g->count; k++)
        if (g->operations[k].kind != CALC && (g->operations[k].partner < 0 || g->operations[k].partner >= g->ranks)) {
            *result = g->operations[k].partner;
            return NO_PARTNER;
        }
    i64 slots = 64, number = 0;
    while (slots < 2 * g->count) slots *= 2;
    g->heap = malloc(((size_t)g->count + 1) * sizeof(i64));
    int *posted = malloc(((size_t)g->count + 1) * sizeof(int));
    if (!g->heap || !posted || !clear_table(g, slots) || !sort_needs(g)) g->failed = 1;

    say(g, "%lld init\n", (long long)g->rank);
    for (i64 k = 0; k < g->count && !g->failed; k++)
        if (!g->operations[k].left) push(g, k);
    while (!g->failed && g->heaped) {
        i64 k = pop(g);
        for (int n = g->before_first[k]; n < g->before_first[k + 1]; n++) wait(g, g->before[n]);
        if (g->operations[k].kind == CALC) compute_for(g, (double)g->operations[k].size / 1e9 * rate);
        else post(g, k);
        posted[number++] = (int)k;
        for (int n = g->behind_first[k]; n < g->behind_first[k + 1]; n++)
            if (!--g->operations[g->needs[g->behind[n]].to].left) push(g, g->needs[g->behind[n]].to);
    }
    for (i64 k = 0; k < number; k++) wait(g, posted[k]);
    say(g, "%lld finalize\n", (long long)g->rank);
    free(posted);
    *result = g->actions - 2;
    return g->failed ? NO_MEMORY : number < g->count ? CIRCLE : g->length;
}

void apet_goal_take(const Goal *g, char *text) { memcpy(text, g->text, (size_t)g->length); }

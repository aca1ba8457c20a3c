/* GOAL: the operations of a rank with dependencies, brought into an order and written as lines of a trace. */

#include <stdarg.h>
#include <stdio.h>

#include "lines.h"

enum { RECV, SENDS, CALC };
enum { NODE_BYTES = 39, LONGEST_LINE = 160 };
enum { NO_MEMORY = -1, NO_FIT = -2, CIRCLE = -3, NO_PARTNER = -4 };

/* `first` and `last` are the open ones of its kind, partner and tag, of the first such operation; `next` leads on. */
typedef struct { i64 size, partner, tag; Word label; int kind, left, first, last, next, open; } Operation;

/* `to` comes after `from` has ended, or has begun. */
typedef struct { int from, to, ends; } Need;

struct Goal {
    Operation *operations;
    Need *needs;
    i64 count, room, needed, need_room;
    int *table;                  /* by label, or by kind, partner and tag: an operation */
    i64 slots;
    int *behind, *behind_first;  /* by operation the needs that lead from it ... */
    int *before, *before_first;  /* ... and what has to have ended before it */
    i64 *heap, heaped;
    char *text;
    i64 rank, ranks, length, text_room, actions;
    int failed;
};

/* Of a rank of so many; NULL if memory ran out. */
Goal *apet_goal_new(i64 rank, i64 ranks) {
    Goal *g = calloc(1, sizeof(Goal));
    if (g) g->rank = rank, g->ranks = ranks;
    return g;
}

void apet_goal_free(Goal *g) {
    void *all[] = {g->operations, g->needs, g->table, g->behind, g->behind_first, g->before, g->before_first, g->heap,
                   g->text, g};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
}

static u64 mixed_with(u64 key, u64 value) {
    key = (key ^ value) * 0x9e3779b97f4a7c15u;
    return key ^ (key >> 29);
}

static u64 label_key(Word label) {
    u64 key = 0;
    for (const char *c = label.at; c < label.end; c++) key = mixed_with(key, (unsigned char)*c);
    return key;
}

static int same_label(Word a, Word b) {
    return a.end - a.at == b.end - b.at && !memcmp(a.at, b.at, (size_t)(a.end - a.at));
}

/* Where an operation of a label is in the table, or would be. */
static int *place_of_label(const Goal *g, Word label) {
    u64 k = label_key(label) & (u64)(g->slots - 1);
    while (g->table[k] != NONE && !same_label(g->operations[g->table[k]].label, label)) k = (k + 1) & (u64)(g->slots - 1);
    return &g->table[k];
}

static int clear_table(Goal *g, i64 slots) {
    int *table = realloc(g->table, (size_t)slots * sizeof(int));
    if (!table) return 0;
    g->table = table;
    g->slots = slots;
    for (i64 k = 0; k < slots; k++) table[k] = NONE;
    return 1;
}

static int add_operation(Goal *g, Operation operation) {
    if (g->count >= INT32_MAX / 4 || !grow((void **)&g->operations, g->count, &g->room, sizeof(Operation))) return NO_MEMORY;
    g->operations[g->count++] = operation;
    if (!operation.label.at) return 0;
    if (2 * g->count > g->slots) {
        if (!clear_table(g, 4 * g->room)) return NO_MEMORY;
        for (i64 k = 0; k < g->count; k++) *place_of_label(g, g->operations[k].label) = (int)k;
    }
    *place_of_label(g, operation.label) = (int)(g->count - 1);
    return 0;
}

static int add_need(Goal *g, i64 from, i64 to, int ends) {
    if (!grow((void **)&g->needs, g->needed, &g->need_room, sizeof(Need))) return NO_MEMORY;
    g->needs[g->needed++] = (Need){(int)from, (int)to, ends};
    return 0;
}

/* Letters, digits and `_` from here on, behind blanks. */
static Word token(Word *rest) {
    while (rest->at < rest->end && blank(*rest->at)) rest->at++;
    Word word = {rest->at, rest->at};
    for (; word.end < rest->end; word.end++) {
        unsigned char c = (unsigned char)*word.end;
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 128)) break;
    }
    rest->at = word.end;
    return word;
}

static int at_end(Word *rest) {
    while (rest->at < rest->end && blank(*rest->at)) rest->at++;
    return rest->at == rest->end;
}

static int number_at(Word *rest, int may_be_bytes, i64 *value) {
    Word word = token(rest);
    if (may_be_bytes && word.end > word.at && word.end[-1] == 'b') word.end--;
    *value = word.end > word.at ? digits(word) : -1;
    return *value >= 0;
}

/* What a line is no operation for. */
enum { GOOD, WRONG, NO_LABEL };

/* `send 8b to 1 tag 0 cpu 0`, behind the label. */
static int read_operation(Goal *g, Word label, Word rest) {
    Word name = token(&rest);
    Operation o = {.partner = -1, .label = label, .kind = is_word(name, "recv") ? RECV : is_word(name, "send") ? SENDS : CALC};
    if ((o.kind == CALC && !is_word(name, "calc")) || !number_at(&rest, 1, &o.size)) return WRONG;
    while (!at_end(&rest)) {
        i64 value;
        Word what = token(&rest);
        if (what.at == what.end || !number_at(&rest, 0, &value)) return WRONG;
        if (is_word(what, "to") || is_word(what, "from")) o.partner = value;
        if (is_word(what, "tag")) o.tag = value;
    }
    return add_operation(g, o) ? NO_MEMORY : GOOD;
}

static int read_goal_line(Goal *g, Word rest) {
    for (const char *c = rest.at; c + 1 < rest.end; c++)
        if (c[0] == '/' && c[1] == '/') rest.end = c;
    if (at_end(&rest)) return GOOD;
    Word label = token(&rest);
    if (label.at == label.end || at_end(&rest)) return WRONG;
    if (*rest.at == ':') {
        rest.at++;
        return read_operation(g, label, rest);
    }
    Word how = token(&rest), other = token(&rest);
    int begun = is_word(how, "irequires");
    if ((!begun && !is_word(how, "requires")) || other.at == other.end || !at_end(&rest)) return WRONG;
    int to = g->slots ? *place_of_label(g, label) : NONE, from = g->slots ? *place_of_label(g, other) : NONE;
    if (to == NONE || from == NONE) return NO_LABEL;
    return add_need(g, from, to, !begun) ? NO_MEMORY : GOOD;
}

/* Reads the lines between the braces of a rank, which stay where they are; 0, or -1 if memory ran out, or the number of a
 * line that is wrong (from 1), or below -1 minus that of one that names an operation that is not there. */
i64 apet_goal_text(Goal *g, const char *text, i64 length) {
    i64 number = 1;
    for (const char *at = text, *end = text + length, *stop; at < end; at = stop + 1, number++) {
        stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        int read = read_goal_line(g, (Word){at, stop});
        if (read != GOOD) return read == NO_MEMORY ? NO_MEMORY : read == WRONG ? number : -1 - number;
    }
    return 0;
}

static u64 little(const char *at, int bytes) {
    u64 value = 0;
    for (int k = bytes; k-- > 0;) value = value << 8 | (unsigned char)at[k];
    return value;
}

/* Reads a rank of the binary form: `nodes` of its table, the numbers behind it; -2 where they do not fit together. */
i64 apet_goal_table(Goal *g, const char *table, i64 nodes, const char *behind, i64 numbers) {
    for (i64 k = 0; k < nodes; k++) {
        const char *row = table + NODE_BYTES * k;
        u64 kind = little(row + 4, 1), size = little(row + 9, 8);
        if (kind < 1 || kind > 3 || size > (u64)MOST_BYTES) return NO_FIT;
        int mine = kind == 1 ? SENDS : kind == 2 ? RECV : CALC;
        Operation o = {.size = (i64)size, .partner = (i64)little(row + 5, 4), .tag = (i64)little(row + 17, 4), .kind = mine};
        if (add_operation(g, o)) return NO_MEMORY;
    }
    for (i64 k = 0; k < 2 * nodes; k++) {
        const char *row = table + NODE_BYTES * (k / 2) + 23 + 8 * (k % 2);
        i64 number = (i64)little(row, 4), place = (i64)little(row + 4, 4);
        if (number && place + number > numbers) return NO_FIT;
        for (i64 n = 0; n < number; n++) {
            i64 to = (i64)little(behind + 4 * (place + n), 4);
            if (to >= nodes) return NO_FIT;
            if (add_need(g, k / 2, to, k % 2 == 0)) return NO_MEMORY;
        }
    }
    return 0;
}

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

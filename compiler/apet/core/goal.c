/* GOAL: the operations of a rank, read. */

#include "goal.h"

enum { NODE_BYTES = 39 };

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

int clear_table(Goal *g, i64 slots) {
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
    if (g->needed >= INT32_MAX / 4 || !grow((void **)&g->needs, g->needed, &g->need_room, sizeof(Need))) return NO_MEMORY;
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

/* Reads a rank of the binary form: `nodes` of its table, the numbers behind it; -2 where they do not fit together, or
 * where the same number is of several nodes, so that no file says more than it has bytes for. */
i64 apet_goal_table(Goal *g, const char *table, i64 nodes, const char *behind, i64 numbers) {
    for (i64 k = 0; k < nodes; k++) {
        const char *row = table + NODE_BYTES * k;
        u64 kind = little(row + 4, 1), size = little(row + 9, 8);
        if (kind < 1 || kind > 3 || size > (u64)MOST_BYTES) return NO_FIT;
        int mine = kind == 1 ? SENDS : kind == 2 ? RECV : CALC;
        Operation o = {.size = (i64)size, .partner = (i64)little(row + 5, 4), .tag = (i64)little(row + 17, 4), .kind = mine};
        if (add_operation(g, o)) return NO_MEMORY;
    }
    for (i64 k = 0, said = 0; k < 2 * nodes; k++) {
        const char *row = table + NODE_BYTES * (k / 2) + 23 + 8 * (k % 2);
        i64 number = (i64)little(row, 4), place = (i64)little(row + 4, 4);
        said += number;
        if (number && (place + number > numbers || said > numbers)) return NO_FIT;
        for (i64 n = 0; n < number; n++) {
            i64 to = (i64)little(behind + 4 * (place + n), 4);
            if (to >= nodes) return NO_FIT;
            if (add_need(g, k / 2, to, k % 2 == 0)) return NO_MEMORY;
        }
    }
    return 0;
}

/* A sequence that hardly folds as one loop: in each iteration, its blocks in the order of their first execution, each as
 * often as a list says, and mostly not at all. */

#include "folding.h"

enum { FEWEST_ITEMS = 32, REPEATED = 2, SEVERAL = -3 };

/* Equal items: the first of them, what they always follow, what always follows them, and the block that they begin. */
typedef struct { const Node *first; i64 before, after, block; } Entry;

/* Items that always follow each other. `at`: the last iteration that it is in, `times`: how often there; before that
 * `written` iterations are in counts. */
typedef struct { Node **body; i64 width, at, times, written; Runs counts; } Block;

typedef struct { i64 *entry, *table, table_room; Entry *entries; Block *blocks; i64 entry_count, block_count; } Choices;

static void free_choices(Choices *c) {
    free(c->entry);
    free(c->table);
    free(c->entries);
    free(c->blocks);
}

/* A hash of a node without how often loops iterate. */
static u64 shape_key(const Node *node) {
    if (!node->body) return mixed(2 * (u64)node->u.step.symbol + 1);
    u64 key = mixed(2 * (u64)node->u.loop.width);
    for (i64 n = 0; n < node->u.loop.numbers; n++) key = mixed(key ^ (u64)node->u.loop.steps[n]);
    for (i64 k = 0; k < node->u.loop.width; k++) key = mixed(key * FACTOR + shape_key(node->body[k]));
    return key;
}

static int alike(Folding *s, const Node *a, const Node *b) {
    Tail by_symbols = {0};
    i64 number = 0;
    return changes(s, &by_symbols, (Node **)&a, (Node **)&b, 1, 0, &number);
}

static i64 entry_of(Folding *s, Choices *c, const Node *node) {
    i64 k = (i64)(shape_key(node) & (u64)(c->table_room - 1));
    for (; c->table[k] != NONE; k = (k + 1) & (c->table_room - 1))
        if (alike(s, c->entries[c->table[k]].first, node)) return c->table[k];
    c->entries[c->entry_count] = (Entry){node, NONE, NONE, NONE};
    return c->table[k] = c->entry_count++;
}

static void meet(i64 *neighbour, i64 entry) { *neighbour = *neighbour == NONE || *neighbour == entry ? entry : SEVERAL; }

/* Whether an entry is inside of a block, behind another. */
static int continues(const Choices *c, i64 entry) {
    i64 before = c->entries[entry].before;
    return before >= 0 && before != entry && c->entries[before].after == entry;
}

static void write_counts(Folding *s, Block *b, i64 iterations) {
    if (b->times) {
        if (b->at > b->written) add_run(s, &b->counts, (Run){0, b->at - b->written});
        add_run(s, &b->counts, (Run){(double)b->times, 1});
        b->written = b->at + 1;
        b->times = 0;
    }
    if (iterations > b->written) add_run(s, &b->counts, (Run){0, iterations - b->written});
}

/* A loop alone is executed more or less often; other blocks become loops. */
static int is_loop(const Node *const *items, i64 width) { return width == 1 && items[0]->body && !items[0]->u.loop.steps; }

static void take_in(Folding *s, Block *b, Node **items, i64 iteration) {
    int loop = is_loop((const Node *const *)items, b->width);
    if (b->times && b->at != iteration) write_counts(s, b, 0);
    b->at = iteration;
    b->times += loop ? items[0]->u.loop.times : 1;
    if (!b->body) {
        b->body = malloc((size_t)b->width * sizeof(*items));
        if (!b->body) longjmp(s->failed, 1);
        memcpy(b->body, items, (size_t)b->width * sizeof(*items));
        return;
    }

    Node **mine = loop ? b->body[0]->body : b->body, **theirs = loop ? items[0]->body : items;
    for (i64 k = 0, last = loop ? items[0]->u.loop.width : b->width; k < last; k++) absorb(s, mine[k], theirs[k], 1);
    for (i64 k = 0; k < b->width; k++) drop(s, items[k]);
}

static Node *loop_of(Folding *s, Node **body, i64 width, i64 times) {
    Node *loop = new_node(s);
    loop->body = body;
    loop->line = body[0]->line;
    loop->u.loop.width = width;
    loop->u.loop.times = times;
    return loop;
}

/* Appends a block to a body. */
static void finish(Folding *s, Block *b, Node **into, i64 *count) {
    const Run *runs = runs_of(&b->counts);
    if (b->counts.number == 1 && runs[0].value == 1 && !is_loop((const Node *const *)b->body, b->width)) {
        for (i64 k = 0; k < b->width; k++) into[(*count)++] = b->body[k];
        free(b->body);
    } else {
        int loop = is_loop((const Node *const *)b->body, b->width);
        Node *node = loop ? b->body[0] : loop_of(s, b->body, b->width, 1);
        if (loop) free(b->body);
        node->u.loop.times = (i64)runs[0].value;
        node->u.loop.counts = b->counts;
        into[(*count)++] = node;
    }
}

static void *room_for(Folding *s, Choices *c, i64 number, size_t each) {
    void *room = calloc((size_t)number, each);
    if (room) return room;
    free_choices(c);
    longjmp(s->failed, 1);
}

/* Entries of all items, and what is next to them. */
static void enter(Folding *s, Choices *c, Node **items, i64 length) {
    c->entry = room_for(s, c, length, sizeof(i64));
    c->entries = room_for(s, c, length, sizeof(Entry));
    for (c->table_room = 16; c->table_room < 2 * length;) c->table_room *= 2;
    c->table = room_for(s, c, c->table_room, sizeof(i64));
    for (i64 k = 0; k < c->table_room; k++) c->table[k] = NONE;

    for (i64 k = 0; k < length; k++) c->entry[k] = entry_of(s, c, items[k]);
    for (i64 k = 0; k < length; k++) {
        meet(&c->entries[c->entry[k]].before, k ? c->entry[k - 1] : SEVERAL);
        meet(&c->entries[c->entry[k]].after, k + 1 < length ? c->entry[k + 1] : SEVERAL);
    }
}

/* Blocks in the order in which they come first. */
static void divide(Folding *s, Choices *c, i64 length) {
    c->blocks = room_for(s, c, c->entry_count, sizeof(Block));
    for (i64 k = 0; k < length; k++) {
        Entry *entry = &c->entries[c->entry[k]];
        if (entry->block != NONE || continues(c, c->entry[k])) continue;
        entry->block = c->block_count++;
        i64 width = 1;
        while (k + width < length && continues(c, c->entry[k + width])) width++;
        c->blocks[entry->block].width = width;
    }
}

void choose(Folding *s, Node ***nodes, i64 *count) {
    Choices c = {0};
    Node **items = *nodes, **body = NULL;
    i64 length = *count, iteration = 0, last = NONE, width = 0;
    if (length < FEWEST_ITEMS) return;
    enter(s, &c, items, length);
    if (c.entry_count * REPEATED > length) {
        free_choices(&c);
        return;
    }

    divide(s, &c, length);
    for (i64 k = 0; k < length; k += c.blocks[last].width) {
        i64 block = c.entries[c.entry[k]].block;
        iteration += block < last;
        last = block;
        take_in(s, &c.blocks[block], items + k, iteration);
    }

    body = room_for(s, &c, c.entry_count, sizeof(*body));
    for (i64 k = 0; k < c.block_count; k++) {
        write_counts(s, &c.blocks[k], iteration + 1);
        finish(s, &c.blocks[k], body, &width);
    }
    free_choices(&c);
    items[0] = loop_of(s, body, width, iteration + 1);
    *count = 1;
}

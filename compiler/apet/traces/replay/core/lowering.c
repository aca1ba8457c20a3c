/* Operations of ranks as they are read: messages numbered and matched, requests resolved. As lowering.py, but numbers
 * are used again as soon as the replay has done with them, so that memory does not grow with the trace. */

typedef struct {
    i64 source, target, tag;
    int pair, sends;       /* whether the sides that wait for others are sends */
    int first, last;       /* messages of which one side is posted */
    int open[2], final[2]; /* requests of the sender and of the receiver (with oneself: the first list for both) */
    int used;
} Channel;

/* An open request: in a channel's list by `next`, in its rank's between others. That of a non-blocking collective is
 * `DONE`, but has parts: nodes with one request each, chained by `next`, and flops after them. */
typedef struct { i64 request; int channel, list, next, before, after, parts; double flops; } Node;

typedef struct {
    int first;             /* its open requests, oldest first */
    int last;
    i64 element;           /* bytes of an element unless said */
    i64 lines, actions, collectives, syncs;
    double flops, lost;    /* computed, and what rounding has lost of it */
    int *origins;          /* by operation: its action, where all are kept */
    i64 origin_room;
} Reading;

/* What all ranks should agree in, by collective of all. */
typedef struct { int action, root; i64 size; } Agreed;

/* What lines are read for. */
enum { REPLAYING, CHECKING, KEEPING };

typedef struct Lowering {
    int mode;
    i64 at;                /* the number of the present action */
    Agreed *agreed;
    i64 agreements, agreement_room;
    i64 unequal, unfinished, left; /* left: non-blocking collectives that no action waits for */
    uint64_t *groups;      /* hashes of different communicators */
    i64 communicators, group_room;
    i64 *named, communicator_lines; /* by rank: the last such line that names it */
    Channel *channels;
    int channel_count, channel_room, spare_channel;
    int *table;
    i64 slots, filled;
    int *pair_table;
    i64 pair_slots;
    Reading *ranks;
    Node *nodes;
    i64 node_count, node_room;
    int spare_node;
    i64 *requests;
    i64 requested, request_room;
    int *group;
    i64 *sizes;
    i64 size_room;
} Lowering;

enum { NONE = -1, BEGUN_BY = -333 }; /* in a channel's place of a target: requests of a rank's non-blocking collectives */
static const i64 DONE = -1;

static uint64_t mixed(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

static uint64_t place_of(i64 source, i64 target, i64 tag) {
    return mixed((uint64_t)source * 0x9e3779b97f4a7c15u ^ mixed((uint64_t)target + 0x7f4a7c15u) ^ (uint64_t)tag * 0xc2b2ae3d27d4eb4fu);
}

static int idle(const Channel *c) { return c->first == NONE && c->open[0] == NONE && c->open[1] == NONE; }

/* Twice the table; channels that nothing is open in are forgotten. */
static int rehash(State *s, Lowering *l) {
    i64 busy = 0;
    for (int c = 0; c < l->channel_count; c++) {
        Channel *channel = &l->channels[c];
        if (!channel->used) continue;
        if (idle(channel) && l->filled > 4096) {
            channel->used = 0;
            channel->first = l->spare_channel;
            l->spare_channel = c;
        } else {
            busy++;
        }
    }
    i64 slots = 1024;
    while (slots < 4 * (busy + 1)) slots *= 2;
    int *table = malloc((size_t)slots * sizeof(int));
    if (!table) return s->failed = 1;
    memset(table, 0xff, (size_t)slots * sizeof(int));
    for (int c = 0; c < l->channel_count; c++) {
        const Channel *channel = &l->channels[c];
        if (!channel->used) continue;
        i64 k = (i64)(place_of(channel->source, channel->target, channel->tag) & (uint64_t)(slots - 1));
        while (table[k] != NONE) k = (k + 1) & (slots - 1);
        table[k] = c;
    }
    free(l->table);
    l->table = table;
    l->slots = slots;
    l->filled = busy;
    return 0;
}

/* The number of a pair of ranks; its path may not be known yet. */
static int pair_of(State *s, Lowering *l, i64 source, i64 target) {
    if (2 * s->pairs >= l->pair_slots) {
        i64 slots = l->pair_slots ? 2 * l->pair_slots : 1024;
        int *table = malloc((size_t)slots * sizeof(int));
        if (!table) { s->failed = 1; return 0; }
        memset(table, 0xff, (size_t)slots * sizeof(int));
        for (i64 p = 0; p < s->pairs; p++) {
            i64 k = (i64)(place_of(s->paths[p].source, s->paths[p].target, 0) & (uint64_t)(slots - 1));
            while (table[k] != NONE) k = (k + 1) & (slots - 1);
            table[k] = (int)p;
        }
        free(l->pair_table);
        l->pair_table = table;
        l->pair_slots = slots;
    }
    i64 k = (i64)(place_of(source, target, 0) & (uint64_t)(l->pair_slots - 1));
    for (; l->pair_table[k] != NONE; k = (k + 1) & (l->pair_slots - 1)) {
        const Path *path = &s->paths[l->pair_table[k]];
        if (path->source == source && path->target == target) return l->pair_table[k];
    }
    if (!grow((void **)&s->paths, s->pairs, &s->pair_room, sizeof(Path))) { s->failed = 1; return 0; }
    s->paths[s->pairs] = (Path){.source = (int)source, .target = (int)target};
    l->pair_table[k] = (int)s->pairs;
    s->t.counts[NEW_PAIRS] = s->pairs + 1 - s->routed;
    return (int)s->pairs++;
}

static int channel_of(State *s, Lowering *l, i64 source, i64 target, i64 tag) {
    if (2 * l->filled >= l->slots && rehash(s, l)) return 0;
    i64 k = (i64)(place_of(source, target, tag) & (uint64_t)(l->slots - 1));
    for (; l->table[k] != NONE; k = (k + 1) & (l->slots - 1)) {
        const Channel *c = &l->channels[l->table[k]];
        if (c->source == source && c->target == target && c->tag == tag) return l->table[k];
    }
    int number = l->spare_channel;
    if (number != NONE) {
        l->spare_channel = l->channels[number].first;
    } else {
        i64 room = l->channel_room;
        if (!grow((void **)&l->channels, l->channel_count, &room, sizeof(Channel))) { s->failed = 1; return 0; }
        l->channel_room = (int)room;
        number = l->channel_count++;
    }
    l->channels[number] = (Channel){source, target, tag, NONE, 0, NONE, NONE, {NONE, NONE}, {NONE, NONE}, 1};
    l->table[k] = number;
    l->filled++;
    return number;
}

static void emit(State *s, i64 rank, i64 what, int code) {
    Queue *q = &s->queues[rank];
    if (q->length - q->base == q->room) {
        i64 gone = s->t.stands[rank] - q->base;
        if (gone > q->room / 2) {
            memmove(q->items, q->items + gone, (size_t)(q->length - q->base - gone) * sizeof(i64));
            q->base += gone;
        } else if (!grow((void **)&q->items, q->room, &q->room, sizeof(i64))) {
            s->failed = 1;
            return;
        }
    }
    Lowering *l = s->lowering;
    Reading *r = &l->ranks[rank];
    if (l->mode == KEEPING) {
        if (!grow((void **)&r->origins, q->length, &r->origin_room, sizeof(int))) {
            s->failed = 1;
            return;
        }
        r->origins[q->length] = (int)l->at;
    }
    q->items[q->length++ - q->base] = (what << SHIFT) | code;
}

/* Sums by A. Neumaier, 1974. */
static void add_flops(Reading *r, double flops) {
    double sum = r->flops + flops;
    r->lost += r->flops >= flops ? (r->flops - sum) + flops : (flops - sum) + r->flops;
    r->flops = sum;
}

static void emit_value(State *s, i64 rank, double value, int code) {
    if (!s->spare_values) {
        i64 room = s->value_room;
        if (!grow((void **)&s->values, s->value_count, &room, sizeof(double))) { s->failed = 1; return; }
        if (room != s->value_room) {
            int *spare = realloc(s->spare_value, (size_t)room * sizeof(int));
            if (!spare) { s->failed = 1; return; }
            s->spare_value = spare;
            s->value_room = room;
        }
        s->spare_value[s->spare_values++] = (int)s->value_count++;
    }
    if (code == COMPUTE) add_flops(&s->lowering->ranks[rank], value);
    int k = s->spare_value[--s->spare_values];
    s->values[k] = value;
    emit(s, rank, k, code);
}

static int new_message(State *s, int pair) {
    i64 number = s->spare_message;
    if (number >= 0) {
        s->spare_message = s->messages[number].next;
    } else {
        if (!grow((void **)&s->messages, s->message_count, &s->message_room, sizeof(Message))) { s->failed = 1; return 0; }
        number = s->message_count++;
    }
    s->messages[number] = (Message){.pair = pair, .next = NONE};
    s->t.counts[MESSAGES]++;
    return (int)number;
}

/* A side of a message; its number. */
static int post_side(State *s, Lowering *l, int channel, i64 size, int sends) {
    Channel *c = &l->channels[channel];
    if (c->pair == NONE) c->pair = pair_of(s, l, c->source, c->target);
    int m = c->first;
    if (m != NONE && c->sends != sends) {
        c->first = s->messages[m].next;
    } else {
        int last = c->last;
        m = new_message(s, c->pair);
        if (s->failed) return 0;
        if (c->first == NONE) c->first = m;
        else s->messages[last].next = m;
        c->last = m;
        c->sends = sends;
    }
    if (sends) {
        s->messages[m].size = size;
        s->t.counts[BYTES] += size;
    }
    return m;
}

/* Posts a side; the request: what waits for it. */
static i64 post_send(State *s, Lowering *l, i64 rank, int channel, i64 size) {
    int m = post_side(s, l, channel, size, 1);
    if (s->failed) return DONE;
    emit(s, rank, m, SEND);
    return ((i64)m << SHIFT) | SENT;
}

static i64 post_receive(State *s, Lowering *l, i64 rank, int channel) {
    int m = post_side(s, l, channel, 0, 0);
    if (s->failed) return DONE;
    emit(s, rank, m, RECEIVE);
    return ((i64)m << SHIFT) | RECEIVED;
}

/* Small sends return at once, unless they are synchronous. */
static void wait_for(State *s, i64 rank, i64 request) {
    if (request == DONE || s->failed) return;
    i64 m = request >> SHIFT;
    const Message *message = &s->messages[m];
    if ((request & MASK) == SENT && message->size < EAGER_LIMIT && !message->synchronous) settled(s, m, SENDER);
    else emit(s, rank, m, (int)(request & MASK));
}

/* Open requests. */

static int new_node(State *s, Lowering *l) {
    int node = l->spare_node;
    if (node != NONE) {
        l->spare_node = l->nodes[node].next;
        return node;
    }
    if (!grow((void **)&l->nodes, l->node_count, &l->node_room, sizeof(Node))) { s->failed = 1; return NONE; }
    return (int)l->node_count++;
}

static void keep_node(State *s, Lowering *l, i64 rank, int channel, Node given) {
    int node = new_node(s, l), list = given.list;
    if (s->failed) return;
    Channel *c = &l->channels[channel];
    Reading *r = &l->ranks[rank];
    given.channel = channel;
    given.next = given.after = NONE;
    given.before = r->last;
    l->nodes[node] = given;
    if (c->open[list] == NONE) c->open[list] = node;
    else l->nodes[c->final[list]].next = node;
    c->final[list] = node;
    if (r->last == NONE) r->first = node;
    else l->nodes[r->last].after = node;
    r->last = node;
}

static void keep_open(State *s, Lowering *l, i64 rank, int channel, i64 request) {
    if (request == DONE || s->failed) return;
    const Channel *c = &l->channels[channel];
    int list = c->source != c->target && (request & MASK) == RECEIVED;
    keep_node(s, l, rank, channel, (Node){.request = request, .list = list, .parts = NONE});
}

/* A non-blocking collective of a kind, whose requests are noted. */
static void keep_begun(State *s, Lowering *l, i64 rank, i64 kind, double flops) {
    int parts = NONE;
    for (; l->requested > 0; l->requested--) {
        int node = new_node(s, l);
        if (s->failed) return;
        l->nodes[node] = (Node){.request = l->requests[l->requested - 1], .next = parts};
        parts = node;
    }
    int channel = channel_of(s, l, rank, BEGUN_BY, kind);
    if (!s->failed) keep_node(s, l, rank, channel, (Node){.request = DONE, .parts = parts, .flops = flops});
}

static void wait_node(State *s, Lowering *l, i64 rank, int node) {
    wait_for(s, rank, l->nodes[node].request);
    for (int part = l->nodes[node].parts, next; part != NONE; part = next) {
        wait_for(s, rank, l->nodes[part].request);
        next = l->nodes[part].next;
        l->nodes[part].next = l->spare_node;
        l->spare_node = part;
    }
    if (l->nodes[node].flops > 0) emit_value(s, rank, l->nodes[node].flops, COMPUTE);
    l->nodes[node].next = l->spare_node;
    l->spare_node = node;
}

/* The rank's oldest open request of a channel, or the one that `older` others are before; if there is one. */
static void wait_one(State *s, Lowering *l, i64 rank, int channel, i64 older) {
    Channel *c = &l->channels[channel];
    Reading *r = &l->ranks[rank];
    int list = c->source == c->target || c->source == rank ? 0 : 1;
    if (c->source != rank && c->target != rank) return;
    int node = c->open[list], before = NONE;
    if (node == NONE) return;
    for (; older > 0 && l->nodes[node].next != NONE; older--) {
        before = node;
        node = l->nodes[node].next;
    }
    const Node *found = &l->nodes[node];
    if (before == NONE) c->open[list] = found->next;
    else l->nodes[before].next = found->next;
    if (c->final[list] == node) c->final[list] = before;
    if (found->before == NONE) r->first = found->after;
    else l->nodes[found->before].after = found->after;
    if (found->after == NONE) r->last = found->before;
    else l->nodes[found->after].before = found->before;
    wait_node(s, l, rank, node);
}

static void wait_for_all(State *s, Lowering *l, i64 rank) {
    Reading *r = &l->ranks[rank];
    for (int node = r->first, after; node != NONE; node = after) {
        after = l->nodes[node].after;
        l->channels[l->nodes[node].channel].open[l->nodes[node].list] = NONE;
        wait_node(s, l, rank, node);
    }
    r->first = r->last = NONE;
}

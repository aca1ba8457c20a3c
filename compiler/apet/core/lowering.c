/* Messages of ranks, numbered and matched as lines are read. Numbers are used again as soon as the replay has done with
 * them, so that memory does not grow with the trace. */

#include "reading.h"

u64 place_of(i64 source, i64 target, i64 tag) {
    return spread((u64)source * 0x9e3779b97f4a7c15u ^ spread((u64)target + 0x7f4a7c15u) ^ (u64)tag * 0xc2b2ae3d27d4eb4fu);
}

static int idle(const Channel *c) { return c->first == NONE && c->open[0] == NONE && c->open[1] == NONE; }

/* Twice the table; channels that nothing is open in are forgotten. */
int rehash(State *s, Lowering *l) {
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
        i64 k = (i64)(place_of(channel->source, channel->target, channel->tag) & (u64)(slots - 1));
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
            i64 k = (i64)(place_of(s->paths[p].source, s->paths[p].target, 0) & (u64)(slots - 1));
            while (table[k] != NONE) k = (k + 1) & (slots - 1);
            table[k] = (int)p;
        }
        free(l->pair_table);
        l->pair_table = table;
        l->pair_slots = slots;
    }

    i64 k = (i64)(place_of(source, target, 0) & (u64)(l->pair_slots - 1));
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

int channel_of(State *s, Lowering *l, i64 source, i64 target, i64 tag) {
    if (2 * l->filled >= l->slots && rehash(s, l)) return 0;
    i64 k = (i64)(place_of(source, target, tag) & (u64)(l->slots - 1));
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

void emit(State *s, i64 rank, i64 what, int code) {
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
    if (l->mode >= KEEPING) {
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

void emit_value(State *s, i64 rank, double value, int code) {
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

void append(State *s, Numbers *numbers, i64 value) {
    if (!grow((void **)&numbers->items, numbers->number, &numbers->room, sizeof(i64))) s->failed = 1;
    else numbers->items[numbers->number++] = value;
}

static int new_message(State *s, int pair, i64 tag) {
    i64 number = s->spare_message;
    if (number >= 0) {
        s->spare_message = s->messages[number].next;
    } else {
        if (!grow((void **)&s->messages, s->message_count, &s->message_room, sizeof(Message))) { s->failed = 1; return 0; }
        number = s->message_count++;
    }
    s->messages[number] = (Message){.pair = pair, .next = NONE};
    s->t.counts[MESSAGES]++;
    if (s->lowering->mode == UNROLLING) append(s, &s->lowering->tags, tag);
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
        m = new_message(s, c->pair, c->tag);
        if (s->failed) return 0;
        if (c->first == NONE) c->first = m;
        else s->messages[last].next = m;
        c->last = m;
        c->sends = sends;
    }

    if (sends) {
        s->messages[m].size = size;
        s->t.counts[BYTES] = total(l->mode < KEEPING ? &l->exceeded : &(int){0}, s->t.counts[BYTES], size);
    }

    return m;
}

/* A send that returns before its message has ended takes the time of its sender. */
static void spend(State *s, i64 rank, i64 size, int how) {
    double seconds = how & IMMEDIATE ? overhead(s->t.isend, s->t.isend_steps, size)
                     : how & SYNCHRONOUS || size < s->t.eager ? overhead(s->t.send, s->t.send_steps, size) : 0;
    if (seconds > 0) emit_value(s, rank, seconds, SLEEP);
}

i64 post_send(State *s, Lowering *l, i64 rank, int channel, i64 size, int how) {
    int m = post_side(s, l, channel, size, 1);
    if (s->failed) return DONE;
    s->messages[m].waits = how & SYNCHRONOUS || size >= s->t.eager;
    s->messages[m].early = !(how & SYNCHRONOUS) && size < s->t.small;
    spend(s, rank, size, how);
    emit(s, rank, m, SEND);
    return ((i64)m << SHIFT) | SENT;
}

i64 post_receive(State *s, Lowering *l, i64 rank, int channel) {
    int m = post_side(s, l, channel, 0, 0);
    if (s->failed) return DONE;
    emit(s, rank, m, RECEIVE);
    return ((i64)m << SHIFT) | RECEIVED;
}

/* A receive that takes what is left in the end (wildcards.c). */
i64 post_wild(State *s, Lowering *l, i64 rank, i64 source, i64 tag) {
    int pair = pair_of(s, l, source < 0 ? 0 : source, rank);
    if (s->failed) return DONE;
    int m = new_message(s, pair, tag);
    if (s->failed || !grow((void **)&l->wild, l->wilds, &l->wild_room, sizeof(Wild))) { s->failed = 1; return DONE; }
    l->wild[l->wilds++] = (Wild){m, source, rank, tag};
    emit(s, rank, m, RECEIVE);
    return ((i64)m << SHIFT) | RECEIVED;
}

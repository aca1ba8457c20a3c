/* Sequences whose stretches are found again by what they have in common. */

#include "folding.h"

i64 form_of(const Folding *s, const Tail *t, const Node *step) {
    return t->numbers_count ? s->symbols[step->u.step.symbol].form : step->u.step.symbol;
}

u64 key_of(const Folding *s, const Tail *t, const Node *node) {
    if (node->body) return mixed(node->u.loop.digest ^ mixed(s->aside ? 0 : 2 * (u64)node->u.loop.times));
    return mixed(2 * (u64)form_of(s, t, node) + 1);
}

u64 digest(const Folding *s, const Tail *t, i64 first, i64 last) {
    return t->prefix[last] - t->prefix[first] * s->powers[last - first];
}

static i64 slot_of(const Heads *h, u64 key) {
    i64 k = (i64)(mixed(key) & (u64)(h->room - 1));
    while (h->at[k] != UNUSED && h->keys[k] != key) k = (k + 1) & (h->room - 1);
    return k;
}

/* Room for one more key; keys that lead nowhere are forgotten. */
static void make_room(Folding *s, Heads *h) {
    if (2 * (h->used + 1) <= h->room) return;
    Heads old = *h;
    i64 live = 0;
    for (i64 k = 0; k < old.room; k++) live += old.at[k] >= 0;
    i64 room = 16;
    while (room < 4 * (live + 1)) room *= 2;
    u64 *keys = malloc((size_t)room * sizeof(*keys));
    int32_t *at = malloc((size_t)room * sizeof(*at));
    if (!keys || !at) {
        free(keys);
        free(at);
        longjmp(s->failed, 1);
    }

    *h = (Heads){keys, at, room, live};
    for (i64 k = 0; k < room; k++) at[k] = UNUSED;
    for (i64 k = 0; k < old.room; k++) {
        if (old.at[k] < 0) continue;
        i64 slot = slot_of(h, old.keys[k]);
        keys[slot] = old.keys[k];
        at[slot] = old.at[k];
    }

    free(old.keys);
    free(old.at);
}

static void more_items(Folding *s, Tail *t) {
    if (t->length + 1 < t->room) return;
    i64 needed = t->length + 2;
    i64 room = t->room;
    t->items = grown(s, t->items, &room, needed, sizeof(*t->items));
    room = t->room;
    t->prefix = grown(s, t->prefix, &room, needed, sizeof(*t->prefix));
    for (int c = 0; c < CONTEXTS; c++) {
        room = t->room;
        t->earlier[c] = grown(s, t->earlier[c], &room, needed, sizeof(**t->earlier));
    }

    room = t->room;
    t->due_before = grown(s, t->due_before, &room, needed, sizeof(*t->due_before));
    t->room = room;
    t->prefix[0] = 0;
}

/* Append without folding. */
void place(Folding *s, Tail *t, Node *node) {
    more_items(s, t);
    i64 at = t->length;
    t->items[at] = node;
    t->prefix[at + 1] = t->prefix[at] * FACTOR + key_of(s, t, node);
    i64 length = ++t->length;
    while (s->power_count <= length) {
        s->powers = grown(s, s->powers, &s->power_room, s->power_count + 1, sizeof(*s->powers));
        s->powers[s->power_count] = s->power_count ? s->powers[s->power_count - 1] * FACTOR : 1;
        s->power_count++;
    }

    for (int c = 0; c < CONTEXTS; c++) {
        t->earlier[c][at] = NONE;
        if (length < CONTEXT[c]) continue;
        Heads *h = &t->heads[c];
        make_room(s, h);
        u64 key = digest(s, t, length - CONTEXT[c], length);
        i64 slot = slot_of(h, key);
        if (h->at[slot] == UNUSED) {
            h->keys[slot] = key;
            h->used++;
        } else {
            t->earlier[c][at] = h->at[slot];
        }
        h->at[slot] = (int32_t)at;
    }

    t->due_before[at] = NONE;
    if (!node->body) return;
    i64 due = length + node->u.loop.width, before = t->due_room;
    t->due = grown(s, t->due, &t->due_room, due + 1, sizeof(*t->due));
    for (i64 k = before; k < t->due_room; k++) t->due[k] = NONE;
    t->due_before[at] = t->due[due];
    t->due[due] = (int32_t)at;
}

void take_off(Folding *s, Tail *t) {
    i64 length = t->length, at = length - 1;
    Node *node = t->items[at];
    for (int c = 0; c < CONTEXTS; c++) {
        if (length < CONTEXT[c]) continue;
        Heads *h = &t->heads[c];
        h->at[slot_of(h, digest(s, t, length - CONTEXT[c], length))] = t->earlier[c][at];
    }
    if (node->body) t->due[length + node->u.loop.width] = t->due_before[at];
    t->length = at;
}

void free_tail(Tail *t) {
    free(t->items);
    free(t->prefix);
    free(t->due);
    free(t->due_before);
    for (int c = 0; c < CONTEXTS; c++) {
        free(t->earlier[c]);
        free(t->heads[c].keys);
        free(t->heads[c].at);
    }
    memset(t, 0, sizeof(*t));
}

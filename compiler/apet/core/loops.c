/* Loops at the end of a sequence. */

#include "folding.h"

static const Node *first_step(const Node *node) {
    while (node->body) node = node->body[0];
    return node;
}

static i64 normal(i64 difference, int wraps, i64 ranks) {
    if (!wraps || !ranks) return difference;
    i64 wrapped = difference % ranks;
    if (wrapped < 0) wrapped += ranks;
    return 2 * wrapped > ranks ? wrapped - ranks : wrapped;
}

static int same_steps(const Node *a, const Node *b) {
    if (!a->u.loop.steps || !b->u.loop.steps) return a->u.loop.steps == b->u.loop.steps;
    return a->u.loop.numbers == b->u.loop.numbers &&
           !memcmp(a->u.loop.steps, b->u.loop.steps, (size_t)a->u.loop.numbers * sizeof(i64));
}

int changes(Folding *s, const Tail *t, Node **first, Node **second, i64 width, int into, i64 *number) {
    for (i64 k = 0; k < width; k++) {
        const Node *a = first[k], *b = second[k];
        if (a->body) {
            if (!b->body || a->u.loop.width != b->u.loop.width || !same_steps(a, b)) return 0;
            if (!s->aside && a->u.loop.times != b->u.loop.times) return 0;
            if (!changes(s, t, a->body, b->body, a->u.loop.width, into, number)) return 0;
        } else {
            if (b->body || form_of(s, t, a) != form_of(s, t, b)) return 0;
            if (!t->numbers_count) continue;
            const Symbol *x = &s->symbols[a->u.step.symbol], *y = &s->symbols[b->u.step.symbol];
            const Form *form = &s->forms[x->form];
            s->steps[into] = grown(s, s->steps[into], &s->steps_room[into], *number + form->numbers, sizeof(i64));
            for (i64 n = 0; n < form->numbers; n++)
                s->steps[into][(*number)++] =
                    normal(s->numbers[y->first + n] - s->numbers[x->first + n], form->wraps[n], s->modulus);
        }
    }

    return 1;
}

/* Whether the differences are those of the next iteration of a loop. */
static int advances(const Folding *s, const Node *loop, Node **body, i64 width, i64 *at) {
    for (i64 k = 0; k < width; k++) {
        if (body[k]->body) {
            if (!advances(s, loop, body[k]->body, body[k]->u.loop.width, at)) return 0;
            continue;
        }
        const Form *form = &s->forms[s->symbols[body[k]->u.step.symbol].form];
        for (i64 n = 0; n < form->numbers; n++, (*at)++) {
            i64 step = loop->u.loop.steps ? loop->u.loop.steps[*at] : 0;
            if (s->steps[0][*at] != normal(loop->u.loop.times * step, form->wraps[n], s->modulus)) return 0;
        }
    }

    return 1;
}

/* Keeps in mind the body of a new loop: later it may be there once. */
static void learn(Tail *t, u64 digest, i64 width) {
    if (t->numbers_count) return;
    for (i64 k = 0; k < t->body_count && k < MOST_BODIES; k++)
        if (t->bodies[k].digest == digest && t->bodies[k].width == width) return;
    t->bodies[t->body_count++ % MOST_BODIES] = (Body){digest, width};
}

/* Make the end from a place on a loop of so many iterations; the loop that stands there grows by one. */
static void join(Folding *s, Tail *t, i64 first, i64 width, i64 times, Node *loop, i64 numbers) {
    u64 key = loop ? 0 : digest(s, t, first, first + width);
    Node **body = loop ? loop->body : &t->items[first];
    i64 last = t->length;

    for (i64 k = first + (loop ? 1 : width); k < last; k++)
        absorb(s, body[(k - first - (loop ? 1 : width)) % width], t->items[k], t->around);
    while (t->length > first) take_off(s, t);
    for (i64 k = first + (loop ? 1 : width); k < last; k++) drop(s, t->items[k]);
    if (!loop) {
        loop = new_node(s);
        Node **own = malloc((size_t)width * sizeof(*own));
        if (!own) longjmp(s->failed, 1);
        memcpy(own, body, (size_t)width * sizeof(*own));
        loop->line = own[0]->line;
        loop->u.loop.width = width;
        loop->u.loop.digest = key;
        loop->body = own;
        if (s->aside) learn(t, key, width);
        if (numbers) {
            loop->u.loop.steps = malloc((size_t)numbers * sizeof(i64));
            if (!loop->u.loop.steps) longjmp(s->failed, 1);
            memcpy(loop->u.loop.steps, s->steps[0], (size_t)numbers * sizeof(i64));
            loop->u.loop.numbers = numbers;
        }
    }

    loop->u.loop.times = times;
    loop->u.loop.pending = 1;
    place(s, t, loop);
}

static int extend(Folding *s, Tail *t) {
    i64 length = t->length;
    for (i64 at = length < t->due_room ? t->due[length] : NONE; at >= 0; at = t->due_before[at]) {
        Node *loop = t->items[at];
        if (digest(s, t, at + 1, length) != loop->u.loop.digest) continue;
        i64 number = 0, checked = 0;
        if (!changes(s, t, loop->body, &t->items[at + 1], loop->u.loop.width, 0, &number)) continue;
        if (!t->numbers_count && loop->u.loop.steps) continue;
        if (t->numbers_count && !advances(s, loop, loop->body, loop->u.loop.width, &checked)) continue;
        join(s, t, at, loop->u.loop.width, loop->u.loop.times + 1, loop, 0);
        return 1;
    }

    return 0;
}

/* Whether the last node of blocks of this width may be equal, or advance. */
static int plausible(Folding *s, const Tail *t, i64 width) {
    i64 number = 0, again = 0, nonzero = 0;
    Node **last = &t->items[t->length - 1];
    if (!t->numbers_count) return 1;
    if (!changes(s, t, last - width, last, 1, 0, &number)) return 0;
    for (i64 k = 0; k < number; k++) nonzero |= s->steps[0][k];
    if (!nonzero) return 1;
    if (t->length < 3 * width || !changes(s, t, last - 2 * width, last - width, 1, 1, &again)) return 0;
    return number == again && !memcmp(s->steps[0], s->steps[1], (size_t)number * sizeof(i64));
}

/* Where counts are put aside, loops of loops are left to choices: by chance they would be other ones each time. */
static int plain(Node *const *items, i64 width) {
    for (i64 k = 0; k < width; k++)
        if (items[k]->body) return 0;
    return 1;
}

/* Blocks of this width at the end as a loop: two that are equal, or three that advance (four of one). */
static int attempt(Folding *s, Tail *t, i64 width) {
    i64 first = t->length - 2 * width, number = 0, nonzero = 0;
    u64 key = digest(s, t, first + width, t->length);

    if (digest(s, t, first, first + width) != key || !plausible(s, t, width)) return 0;
    if (s->aside && !plain(&t->items[first], width)) return 0;
    if (!changes(s, t, &t->items[first], &t->items[first + width], width, 0, &number)) return 0;
    for (i64 k = 0; k < number; k++) nonzero |= s->steps[0][k];
    if (!nonzero) {
        join(s, t, first, width, 2, NULL, 0);
        return 1;
    }

    i64 blocks = width == 1 ? 4 : 3;
    for (i64 k = 2; k < blocks; k++) {
        i64 again = 0;
        first -= width;
        if (first < 0 || digest(s, t, first, first + width) != key) return 0;
        if (!changes(s, t, &t->items[first], &t->items[first + width], width, 1, &again)) return 0;
        if (again != number || memcmp(s->steps[0], s->steps[1], (size_t)number * sizeof(i64))) return 0;
    }

    join(s, t, first, width, blocks, NULL, number);
    return 1;
}

static int repeat(Folding *s, Tail *t) {
    i64 length = t->length, half = length / 2, tried = DIRECT;
    for (i64 width = 1; width <= DIRECT && width <= half; width++)
        if (attempt(s, t, width)) return 1;
    for (int c = 0; c < CONTEXTS; c++) {
        i64 at = t->earlier[c][length - 1];
        for (int tries = t->numbers_count ? MOST_TRIES - FEWER_TRIES : 0; tries < MOST_TRIES; tries++, at = t->earlier[c][at]) {
            if (at < 0) return 0;
            i64 width = length - 1 - at;
            if (width > half) return 0;
            if (width <= tried) continue;
            if (attempt(s, t, width)) return 1;
            tried = width;
        }
    }

    return 0;
}

/* The end as the only iteration, so far, of a loop whose body is known. */
static int once(Folding *s, Tail *t) {
    for (i64 k = 0; k < t->body_count && k < MOST_BODIES; k++) {
        i64 width = t->bodies[k].width, first = t->length - width;
        if (first < 0 || digest(s, t, first, t->length) != t->bodies[k].digest) continue;
        join(s, t, first, width, 1, NULL, 0);
        return 1;
    }

    return 0;
}

static void fold_end(Folding *s, Tail *t) {
    if (!extend(s, t) && !repeat(s, t)) once(s, t);
}

/* Fold with the loop at the end as a whole, unless what follows may be its next iteration. */
void settle_loops(Folding *s, Tail *t, const Node *following) {
    while (t->length) {
        Node *last = t->items[t->length - 1];
        if (!last->body || !last->u.loop.pending) return;
        if (following && form_of(s, t, first_step(last)) == form_of(s, t, following)) return;
        last->u.loop.pending = 0;
        fold_end(s, t);
    }
}

void push(Folding *s, Tail *t, Node *node) {
    settle_loops(s, t, first_step(node));
    place(s, t, node);
    fold_end(s, t);
}

/* The digests of loops as this sequence has them. */
static void redigest(const Folding *s, const Tail *t, Node *node) {
    if (!node->body) return;
    u64 key = 0;
    for (i64 k = 0; k < node->u.loop.width; k++) {
        redigest(s, t, node->body[k]);
        key = key * FACTOR + key_of(s, t, node->body[k]);
    }
    node->u.loop.digest = key;
}

/* Fold nodes once more, inside out, by forms with numbers that advance; the result takes their place. Where counts are
 * put aside, iterations of an outer loop have no equal shares of what is inside, so bodies stay. */
void refold(Folding *s, Node ***nodes, i64 *count, i64 around) {
    Tail t = {.numbers_count = 1, .around = around};
    for (i64 k = 0; k < *count; k++) {
        Node *node = (*nodes)[k];
        if (node->body && !node->u.loop.steps && !s->aside)
            refold(s, &node->body, &node->u.loop.width, around * node->u.loop.times);
        redigest(s, &t, node);
        push(s, &t, node);
    }

    settle_loops(s, &t, NULL);
    for (i64 k = 0; k < t.length && around > 1; k++) interleave(s, t.items[k], around);
    free(*nodes);
    *count = t.length;
    *nodes = t.items;
    t.items = NULL;
    free_tail(&t);
}

/* Fold a sequence by forms before its end is there. */
void compact(Folding *s, Tail *t) {
    Node **items = t->items;
    i64 count = t->length;
    t->items = NULL;
    free_tail(t);
    t->around = 1;
    refold(s, &items, &count, 1);
    for (i64 k = 0; k < count; k++) {
        redigest(s, t, items[k]);
        place(s, t, items[k]);
    }
    free(items);
}

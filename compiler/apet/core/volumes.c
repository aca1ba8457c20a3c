/* Nodes of loops, and runs of volumes in them: appended, taken over, brought into order. */

#include "folding.h"

void *grown(Folding *s, void *old, i64 *room, i64 needed, size_t each) {
    if (needed <= *room) return old;
    i64 more = *room ? *room : 16;
    while (more < needed) more *= 2;
    void *more_items = realloc(old, (size_t)more * each);
    if (!more_items) longjmp(s->failed, 1);
    *room = more;
    return more_items;
}

Node *new_node(Folding *s) {
    if (!s->spare) {
        s->chunks = grown(s, s->chunks, &s->chunk_room, s->chunk_count + 1, sizeof(*s->chunks));
        Node *chunk = calloc(CHUNK, sizeof(Node));
        if (!chunk) longjmp(s->failed, 1);
        s->chunks[s->chunk_count++] = chunk;
        for (i64 k = 0; k < CHUNK; k++) {
            chunk[k].body = (Node **)s->spare;
            s->spare = &chunk[k];
        }
    }

    Node *node = s->spare;
    s->spare = (Node *)node->body;
    memset(node, 0, sizeof(*node));
    return node;
}

/* Gives back a node and all in it. */
void drop(Folding *s, Node *node) {
    if (node->body) {
        for (i64 k = 0; k < node->u.loop.width; k++) drop(s, node->body[k]);
        free(node->body);
        free(node->u.loop.steps);
        free(node->u.loop.counts.runs);
    } else {
        for (i64 k = 0; k < node->u.step.part_count; k++) free(node->u.step.parts[k].runs);
        free(node->u.step.parts);
        free(node->u.step.volumes.runs);
    }
    node->body = (Node **)s->spare;
    s->spare = node;
}

void add_run(Folding *s, Runs *into, Run run) {
    if (!into->number) {
        into->number = 1;
        into->one = run;
        return;
    }

    Run *last = into->runs ? &into->runs[into->number - 1] : &into->one;
    if (last->value == run.value) {
        last->count += run.count;
        return;
    }

    if (!into->runs) {
        into->runs = grown(s, NULL, &into->room, 4, sizeof(Run));
        into->runs[0] = into->one;
    }

    into->runs = grown(s, into->runs, &into->room, into->number + 1, sizeof(Run));
    into->runs[into->number++] = run;
}

const Run *runs_of(const Runs *volumes) { return volumes->runs ? volumes->runs : &volumes->one; }

static void add_part(Folding *s, Node *step, Runs *part) {
    i64 number = step->u.step.part_count;
    step->u.step.parts = grown(s, step->u.step.parts, &step->u.step.part_room, number + 1, sizeof(Runs));
    step->u.step.parts[number] = *part;
    step->u.step.part_count++;
    *part = (Runs){0};
}

static void add_counts(Folding *s, Runs *into, const Node *loop) {
    const Run *runs = runs_of(&loop->u.loop.counts);
    i64 number = loop->u.loop.counts.number;
    if (!number) add_run(s, into, (Run){(double)loop->u.loop.times, 1});
    for (i64 k = 0; k < number; k++) add_run(s, into, runs[k]);
}

void absorb(Folding *s, Node *mine, Node *theirs, i64 around) {
    if (mine->body) {
        if (s->aside && !mine->u.loop.counts.number) add_counts(s, &mine->u.loop.counts, mine);
        if (s->aside) add_counts(s, &mine->u.loop.counts, theirs);
        for (i64 k = 0; k < mine->u.loop.width; k++) absorb(s, mine->body[k], theirs->body[k], around);
        return;
    }

    Runs *volumes = &theirs->u.step.volumes;
    if (around > 1) {
        add_part(s, mine, volumes);
        for (i64 k = 0; k < theirs->u.step.part_count; k++) add_part(s, mine, &theirs->u.step.parts[k]);
        theirs->u.step.part_count = 0;
        return;
    }

    const Run *runs = runs_of(volumes);
    for (i64 k = 0; k < volumes->number; k++) add_run(s, &mine->u.step.volumes, runs[k]);
}

typedef struct { i64 at, used, chunk; } Cursor;

void interleave(Folding *s, Node *node, i64 around) {
    if (node->body) {
        for (i64 k = 0; k < node->u.loop.width; k++) interleave(s, node->body[k], around);
        return;
    }

    if (!node->u.step.part_count) return;
    Runs own = node->u.step.volumes, merged = {0};
    add_part(s, node, &own); /* the first part comes last here */
    i64 count = node->u.step.part_count;
    Runs *parts = node->u.step.parts;
    Cursor *cursors = calloc((size_t)count, sizeof(*cursors));
    if (!cursors) longjmp(s->failed, 1);
    int alike = 1;
    i64 total = 0;
    for (i64 k = 0; k < count; k++) {
        const Run *runs = runs_of(&parts[k]);
        i64 executions = 0;
        for (i64 n = 0; n < parts[k].number; n++) executions += runs[n].count;
        cursors[k].chunk = executions / around;
        total += executions;
        alike = alike && parts[k].number == 1 && runs[0].value == runs_of(&parts[0])[0].value;
    }

    if (alike) add_run(s, &merged, (Run){runs_of(&parts[0])[0].value, total});
    for (i64 e = 0; e < around && !alike; e++) {
        for (i64 n = 0; n < count; n++) {
            i64 k = n ? n - 1 : count - 1, needed = cursors[k].chunk;
            const Run *runs = runs_of(&parts[k]);
            while (needed) {
                Cursor *c = &cursors[k];
                i64 left = runs[c->at].count - c->used, taken = left < needed ? left : needed;
                add_run(s, &merged, (Run){runs[c->at].value, taken});
                needed -= taken;
                c->used += taken;
                if (taken == left) *c = (Cursor){c->at + 1, 0, c->chunk};
            }
        }
    }

    free(cursors);
    for (i64 k = 0; k < count; k++) free(parts[k].runs);
    node->u.step.part_count = 0;
    node->u.step.volumes = merged;
}

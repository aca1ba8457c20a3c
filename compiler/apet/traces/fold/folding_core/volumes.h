/* Runs of volumes: appended, taken over, brought into order. */

static void add_run(State *s, Runs *into, Run run) {
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

static const Run *runs_of(const Runs *volumes) { return volumes->runs ? volumes->runs : &volumes->one; }

static void add_part(State *s, Node *step, Runs *part) {
    i64 number = step->u.step.part_count;
    step->u.step.parts = grown(s, step->u.step.parts, &step->u.step.part_room, number + 1, sizeof(Runs));
    step->u.step.parts[number] = *part;
    step->u.step.part_count++;
    *part = (Runs){0};
}

/* Take over the volumes of a node of equal form that comes later, in loops of so many iterations around both. */
static void absorb(State *s, Node *mine, Node *theirs, i64 around) {
    if (mine->body) {
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

/* Bring what was taken over into the order of execution: all parts once in each iteration around. */
static void interleave(State *s, Node *node, i64 around) {
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

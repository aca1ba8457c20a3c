/* How far ranks come, whatever time things take: only the order of messages counts. As `ends` of check.py. */

typedef struct {
    const Programs *task;
    unsigned char *sides;  /* by message: posted */
    i64 *stands, *waits_for, *stack;
    i64 height;
} Ends;

enum { NOTHING_MORE = -1, SOME = -2 };

static void free_to_go(Ends *e, i64 rank, i64 message) {
    if (e->waits_for[rank] != message && e->waits_for[rank] != SOME) return;
    e->waits_for[rank] = NOTHING_MORE;
    e->stack[e->height++] = rank;
}

static int lacks(const Ends *e, i64 group) {
    const Programs *t = e->task;
    i64 first = t->group_first[group], last = t->group_first[group + 1], missing = 0;
    for (i64 k = first; k < last; k++) missing += e->sides[t->group_message[k]] < 2;
    return missing && last - first - missing < t->group_needed[group];
}

static void go_through(Ends *e, i64 rank) {
    const Programs *t = e->task;
    i64 *at = &e->stands[rank];
    for (; *at < t->lengths[rank]; ++*at) {
        i64 operation = t->operations[rank][*at], what = operation >> SHIFT;
        switch (operation & MASK) {
        case SEND:
        case RECEIVE:
            if (++e->sides[what] < 2) break;
            free_to_go(e, t->source[t->pair[what]], what);
            free_to_go(e, t->target[t->pair[what]], what);
            break;
        case SENT:
        case RECEIVED:
            if (e->sides[what] > 1) break;
            e->waits_for[rank] = what;
            return;
        case ANY:
            if (!lacks(e, what)) break;
            e->waits_for[rank] = SOME;
            return;
        default:
            break;
        }
    }
}

/* By rank the operation after the one that it waits in, one more than all at its end. 0, or 1 if memory ran out. */
int apet_ends(const Programs *task, i64 *stands) {
    i64 ranks = task->ranks;
    Ends e = {.task = task, .stands = stands};
    e.sides = calloc((size_t)task->messages + 1, 1);
    e.waits_for = malloc((size_t)(ranks + 1) * sizeof(i64));
    e.stack = malloc((size_t)(ranks + 1) * sizeof(i64));
    int failed = !e.sides || !e.waits_for || !e.stack;
    if (!failed) {
        for (i64 r = ranks; r-- > 0;) {
            stands[r] = 0;
            e.waits_for[r] = NOTHING_MORE;
            e.stack[e.height++] = r;
        }
        while (e.height > 0) go_through(&e, e.stack[--e.height]);
        for (i64 r = 0; r < ranks; r++) stands[r]++;
    }
    free(e.sides);
    free(e.waits_for);
    free(e.stack);
    return failed;
}

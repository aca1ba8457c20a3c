/* A way through all ranks' programs where a wait needs that both sides of its message have been posted. */

typedef struct {
    const Programs *task;
    unsigned char *sides, *waiting; /* by message: sides posted; by rank */
    i64 *at, *stack, *waits_for;
    i64 height, first; /* the stack is a ring for those who take ranks in turn: `first` moves */
} Walk;

static int walk_begin(Walk *w, const Programs *task) {
    *w = (Walk){.task = task};
    w->sides = calloc((size_t)task->messages + 1, 1);
    w->waiting = calloc((size_t)task->ranks + 1, 1);
    w->at = calloc((size_t)task->ranks + 1, sizeof(i64));
    w->stack = calloc((size_t)task->ranks + 1, sizeof(i64));
    w->waits_for = calloc((size_t)task->ranks + 1, sizeof(i64));
    if (!w->sides || !w->waiting || !w->at || !w->stack || !w->waits_for) return 1;
    for (i64 k = task->ranks; k-- > 0;) w->stack[w->height++] = k;
    return 0;
}

static void walk_end(Walk *w) {
    free(w->sides);
    free(w->waiting);
    free(w->at);
    free(w->stack);
    free(w->waits_for);
}

static void wake(Walk *w, i64 rank, i64 message) {
    if (w->waiting[rank] == CHOOSING || (w->waiting[rank] == WAITING && w->waits_for[rank] == message)) {
        w->waiting[rank] = READY;
        w->stack[(w->first + w->height++) % (w->task->ranks + 1)] = rank;
    }
}

/* The rank that could go on before all others that can. */
static i64 next_in_turn(Walk *w) {
    i64 rank = w->stack[w->first];
    w->first = (w->first + 1) % (w->task->ranks + 1);
    w->height--;
    return rank;
}

/* A side is posted; whether it is the second, so that ranks may go on. */
static int posted_both(Walk *w, i64 message) {
    const Programs *t = w->task;
    if (++w->sides[message] < 2) return 0;
    i64 source = t->source[t->pair[message]], target = t->target[t->pair[message]];
    wake(w, source, message);
    if (target != source) wake(w, target, message);
    return 1;
}

static void wait_in(Walk *w, i64 rank, i64 message) {
    w->waiting[rank] = WAITING;
    w->waits_for[rank] = message;
}

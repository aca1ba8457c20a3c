/* Folds the steps of each rank of a trace into loops while the trace is read. */

#include "folding.h"

/* Sizes of a folded rank. */
enum { NODES, BASES, STEPS, RUNS };

/* Loops of more iterations have a list of those by execution, whose length comes on top. */
static const i64 MOST_ITERATIONS = (i64)1 << 40;

/* A new state; from `longest` steps left on a sequence is folded by forms as well, before its end; `names` are lines of
 * a name, a blank, and what its words are: p another rank, i a whole number, s one that is put aside, -, and a digit:
 * all words but so many at the end are put aside. `aside`: so are counts of loops. */
Folding *apet_fold_new(const char *names, i64 longest, i64 aside) {
    Folding *s = calloc(1, sizeof(*s));
    if (!s) return NULL;
    s->longest = longest;
    s->aside = aside != 0;
    while (*names && s->name_count < MOST_NAMES) {
        Name *name = &s->names[s->name_count++];
        for (; *names != ' '; names++)
            if (name->length < LONGEST_NAME) name->name[name->length++] = *names;
        name->last = NONE;
        for (names++; *names != '\n'; names++)
            if (*names >= '0' && *names <= '9') name->last = *names - '0';
            else if (name->number < MOST_NUMBERS) name->kinds[name->number++] = *names;
        names++;
    }

    return s;
}

/* Reads lines; 1, 0 where one is not plain, -1 where memory ran out. */
i64 apet_fold_feed(Folding *s, const char *text, i64 length) {
    if (setjmp(s->failed)) return -1;
    for (const char *at = text, *end = text + length; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        s->line++;
        if (!fold_line(s, at, stop)) return 0;
        at = stop + 1;
    }
    return 1;
}

/* The next line is the first of another file. */
void apet_fold_file(Folding *s) { s->line = 0; }

/* Ranks, actions, numbers in forms, forms, length of their text, gaps, volumes in them, the most steps and loops that a
 * rank has so far; negative ranks: one has no line. */
void apet_fold_counts(const Folding *s, i64 *counts) {
    counts[0] = s->rank_count;
    for (i64 r = 0; r < s->rank_count; r++)
        if (!s->ranks[r]) counts[0] = -1 - r;
    counts[1] = s->actions;
    counts[2] = 0;
    for (i64 k = 0; k < s->form_count; k++) counts[2] += s->forms[k].numbers;
    counts[3] = s->form_count;
    counts[4] = s->text_length + s->form_count;
    counts[5] = s->gap_count;
    counts[6] = s->volume_count;
    counts[7] = 0;
    for (i64 r = 0; r < s->rank_count; r++)
        if (s->ranks[r] && s->ranks[r]->tail.length > counts[7]) counts[7] = s->ranks[r]->tail.length;
}

/* How many volumes each gap has, and all volumes. */
void apet_fold_gaps(const Folding *s, i64 *counts, double *volumes) {
    if (!s->gap_count) return;
    for (i64 k = 0; k < s->gap_count; k++) counts[k] = s->gaps[k].count;
    memcpy(volumes, s->volumes, (size_t)s->volume_count * sizeof(double));
}

/* The forms, each with a line feed. */
void apet_fold_forms(const Folding *s, char *text) {
    for (i64 k = 0; k < s->form_count; k++) {
        memcpy(text, s->text + s->forms[k].text, (size_t)s->forms[k].length);
        text += s->forms[k].length;
        *text++ = '\n';
    }
}

/* By form, the greatest of each of its numbers in any line. */
void apet_fold_greatest(const Folding *s, i64 *greatest) {
    for (i64 k = 0; k < s->form_count; k++)
        for (i64 n = 0; n < s->forms[k].numbers; n++) *greatest++ = s->forms[k].greatest[n];
}

static int varies(const Node *loop) { return loop->u.loop.counts.number > 1; }

static void measure(const Folding *s, Node **nodes, i64 count, i64 *sizes) {
    sizes[NODES] += count;
    for (i64 k = 0; k < count; k++) {
        const Node *node = nodes[k];
        if (node->body) {
            sizes[STEPS] += node->u.loop.numbers;
            if (varies(node)) sizes[RUNS] += node->u.loop.counts.number;
            measure(s, node->body, node->u.loop.width, sizes);
        } else {
            sizes[BASES] += s->forms[s->symbols[node->u.step.symbol].form].numbers;
            sizes[RUNS] += node->u.step.volumes.number;
        }
    }
}

/* Ends a rank: how much room it takes, and the volume after its last step. 1, or -1 where memory ran out. */
i64 apet_fold_rank(Folding *s, i64 rank, i64 *sizes, double *rest) {
    Tail *t = &s->ranks[rank]->tail;
    if (setjmp(s->failed)) return -1;
    s->modulus = s->rank_count;
    settle_loops(s, t, NULL);
    refold(s, &t->items, &t->length, 1);
    if (s->aside) choose(s, &t->items, &t->length);
    memset(sizes, 0, 4 * sizeof(*sizes));
    measure(s, t->items, t->length, sizes);
    *rest = gap_value(s, s->ranks[rank]);
    return 1;
}

static void add_runs(const Runs *from, Columns *f) {
    const Run *runs = runs_of(from);
    for (i64 n = 0; n < from->number; n++) {
        *f->values++ = runs[n].value;
        *f->counts++ = runs[n].count;
    }
}

static void flatten(const Folding *s, Node **nodes, i64 count, Columns *f) {
    for (i64 k = 0; k < count; k++) {
        const Node *node = nodes[k];
        *f->lines++ = node->line;
        if (node->body) {
            const Runs *counts = &node->u.loop.counts;
            *f->codes++ = varies(node) ? -MOST_ITERATIONS - counts->number : -node->u.loop.times;
            if (varies(node)) add_runs(counts, f);
            *f->widths++ = node->u.loop.width;
            *f->stepped++ = node->u.loop.numbers;
            for (i64 n = 0; n < node->u.loop.numbers; n++) *f->steps++ = node->u.loop.steps[n];
            flatten(s, node->body, node->u.loop.width, f);
            continue;
        }
        const Symbol *symbol = &s->symbols[node->u.step.symbol];
        *f->codes++ = symbol->form;
        *f->widths++ = node->u.step.volumes.number;
        *f->stepped++ = 0;
        for (i64 n = 0; n < s->forms[symbol->form].numbers; n++) *f->bases++ = s->numbers[symbol->first + n];
        add_runs(&node->u.step.volumes, f);
    }
}

/* Writes out a rank that has ended, and forgets it. */
void apet_fold_take(Folding *s, i64 rank, const Columns *into) {
    Columns columns = *into;
    Tail *t = &s->ranks[rank]->tail;
    flatten(s, t->items, t->length, &columns);
    for (i64 k = 0; k < t->length; k++) drop(s, t->items[k]);
    free_tail(t);
}

void apet_fold_free(Folding *s) {
    for (i64 r = 0; r < s->rank_count; r++) {
        if (!s->ranks[r]) continue;
        Tail *t = &s->ranks[r]->tail;
        for (i64 k = 0; k < t->length; k++) drop(s, t->items[k]);
        free_tail(t);
        free(s->ranks[r]->gap);
        free(s->ranks[r]);
    }

    for (i64 k = 0; k < s->chunk_count; k++) free(s->chunks[k]);
    free(s->ranks);
    free(s->forms);
    free(s->symbols);
    free(s->numbers);
    free(s->gaps);
    free(s->volumes);
    free(s->gap_index.at);
    free(s->text);
    free(s->form_index.at);
    free(s->symbol_index.at);
    free(s->powers);
    free(s->chunks);
    free(s->steps[0]);
    free(s->steps[1]);
    free(s->line_text);
    free(s);
}

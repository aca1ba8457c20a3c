/* From lines to symbols. What is not plain is left to Python. */

#include "folding.h"

static u64 text_key(const char *text, i64 length) {
    u64 key = (u64)length;
    for (i64 k = 0; k < length; k++) key = (key ^ (unsigned char)text[k]) * 0x100000001B3u;
    return mixed(key);
}

static void reindex(Folding *s, Index *index, i64 count, u64 (*key)(const Folding *, i64)) {
    if (2 * (count + 1) <= index->room) return;
    i64 room = index->room ? 2 * index->room : 64;
    free(index->at);
    index->at = malloc((size_t)room * sizeof(i64));
    if (!index->at) longjmp(s->failed, 1);
    index->room = room;
    for (i64 k = 0; k < room; k++) index->at[k] = NONE;
    for (i64 n = 0; n < count; n++) {
        i64 k = (i64)(key(s, n) & (u64)(room - 1));
        while (index->at[k] != NONE) k = (k + 1) & (room - 1);
        index->at[k] = n;
    }
}

static u64 form_key(const Folding *s, i64 form) { return text_key(s->text + s->forms[form].text, s->forms[form].length); }

static u64 numbers_key(i64 form, const i64 *numbers, i64 count) {
    u64 key = mixed((u64)form);
    for (i64 k = 0; k < count; k++) key = mixed(key ^ (u64)numbers[k]);
    return key;
}

static u64 symbol_key(const Folding *s, i64 symbol) {
    const Symbol *known = &s->symbols[symbol];
    return numbers_key(known->form, s->numbers + known->first, s->forms[known->form].numbers);
}

static i64 form_number(Folding *s, const char *text, i64 length, i64 numbers, const char *wraps) {
    reindex(s, &s->form_index, s->form_count, form_key);
    i64 mask = s->form_index.room - 1, k = (i64)(text_key(text, length) & (u64)mask);
    for (; s->form_index.at[k] != NONE; k = (k + 1) & mask) {
        const Form *form = &s->forms[s->form_index.at[k]];
        if (form->length == length && !memcmp(s->text + form->text, text, (size_t)length)) return s->form_index.at[k];
    }

    s->forms = grown(s, s->forms, &s->form_room, s->form_count + 1, sizeof(*s->forms));
    s->text = grown(s, s->text, &s->text_room, s->text_length + length, 1);
    Form *form = &s->forms[s->form_count];
    *form = (Form){s->text_length, length, numbers, {0}, {0}};
    memcpy(form->wraps, wraps, MOST_NUMBERS);
    memcpy(s->text + s->text_length, text, (size_t)length);
    s->text_length += length;
    return s->form_index.at[k] = s->form_count++;
}

static i64 symbol_number(Folding *s, i64 form, const i64 *numbers) {
    i64 count = s->forms[form].numbers;
    reindex(s, &s->symbol_index, s->symbol_count, symbol_key);
    i64 mask = s->symbol_index.room - 1, k = (i64)(numbers_key(form, numbers, count) & (u64)mask);
    for (; s->symbol_index.at[k] != NONE; k = (k + 1) & mask) {
        const Symbol *known = &s->symbols[s->symbol_index.at[k]];
        if (known->form == form && !memcmp(s->numbers + known->first, numbers, (size_t)count * sizeof(i64)))
            return s->symbol_index.at[k];
    }

    s->symbols = grown(s, s->symbols, &s->symbol_room, s->symbol_count + 1, sizeof(*s->symbols));
    s->numbers = grown(s, s->numbers, &s->number_room, s->number_count + count + 1, sizeof(i64));
    s->symbols[s->symbol_count] = (Symbol){form, s->number_count};
    memcpy(s->numbers + s->number_count, numbers, (size_t)count * sizeof(i64));
    s->number_count += count;
    return s->symbol_index.at[k] = s->symbol_count++;
}

static u64 volumes_key(const double *volumes, i64 count) { return text_key((const char *)volumes, count * (i64)sizeof(double)); }

static u64 gap_key(const Folding *s, i64 gap) { return volumes_key(s->volumes + s->gaps[gap].first, s->gaps[gap].count); }

/* What was computed since the last step, as the value of a run. */
double gap_value(Folding *s, Rank *rank) {
    i64 count = rank->gap_count;
    rank->gap_count = 0;
    if (!count) return 0;
    if (count == 1 && rank->gap[0] > 0) return rank->gap[0];
    reindex(s, &s->gap_index, s->gap_count, gap_key);
    i64 mask = s->gap_index.room - 1, k = (i64)(volumes_key(rank->gap, count) & (u64)mask);
    for (; s->gap_index.at[k] != NONE; k = (k + 1) & mask) {
        const Gap *gap = &s->gaps[s->gap_index.at[k]];
        if (gap->count == count && !memcmp(s->volumes + gap->first, rank->gap, (size_t)count * sizeof(double)))
            return -1.0 - (double)s->gap_index.at[k];
    }

    s->gaps = grown(s, s->gaps, &s->gap_room, s->gap_count + 1, sizeof(*s->gaps));
    s->volumes = grown(s, s->volumes, &s->volume_room, s->volume_count + count, sizeof(double));
    s->gaps[s->gap_count] = (Gap){s->volume_count, count};
    memcpy(s->volumes + s->volume_count, rank->gap, (size_t)count * sizeof(double));
    s->volume_count += count;
    s->gap_index.at[k] = s->gap_count++;
    return -(double)s->gap_count;
}

static Rank *rank_of(Folding *s, i64 rank) {
    if (rank >= s->rank_count) {
        s->ranks = grown(s, s->ranks, &s->rank_room, rank + 1, sizeof(*s->ranks));
        while (rank >= s->rank_count) s->ranks[s->rank_count++] = NULL;
    }

    if (!s->ranks[rank]) {
        s->ranks[rank] = calloc(1, sizeof(Rank));
        if (!s->ranks[rank]) longjmp(s->failed, 1);
        s->ranks[rank]->tail.around = 1;
        s->ranks[rank]->limit = s->longest;
    }

    return s->ranks[rank];
}

static void step(Folding *s, Rank *rank, i64 symbol) {
    Node *node = new_node(s);
    node->line = s->line;
    node->u.step.symbol = symbol;
    node->u.step.volumes.number = 1;
    node->u.step.volumes.one = (Run){gap_value(s, rank), 1};
    push(s, &rank->tail, node);
    if (rank->tail.length < rank->limit) return;
    compact(s, &rank->tail);
    rank->limit = rank->tail.length * 4 > s->longest ? rank->tail.length * 4 : s->longest;
}

/* What is computed, or put aside of the line to come. */
static void keep_aside(Folding *s, Rank *rank, double value) {
    rank->gap = grown(s, rank->gap, &rank->gap_room, rank->gap_count + 1, sizeof(double));
    rank->gap[rank->gap_count++] = value;
}

static i64 words_in(Word line) {
    Word word;
    i64 number = 0;
    while (next_word(&line, &word)) number++;
    return number;
}

/* What the k-th of some words is. */
static char kind_of_word(const Name *name, i64 k, i64 words) {
    if (!name) return '-';
    if (name->last != NONE) return k < words - name->last ? 's' : '-';
    return k < name->number ? name->kinds[k] : '-';
}

/* The form of a line and the numbers in it. */
static i64 symbol_of(Folding *s, Rank *rank, const char *name, i64 length, Word line, Word comment) {
    const Name *known = NULL;
    for (i64 k = 0; k < s->name_count && !known; k++)
        if (s->names[k].length == length && !memcmp(s->names[k].name, name, (size_t)length)) known = &s->names[k];
    s->line_text = grown(s, s->line_text, &s->line_room, length + 2 * (line.end - line.at + comment.end - comment.at) + 16, 1);
    char *text = s->line_text, wraps[MOST_NUMBERS] = {0};
    i64 at = length, numbers = 0, values[MOST_NUMBERS];
    memcpy(text, name, (size_t)length);
    Word word;
    i64 words = known && known->last != NONE ? words_in(line) : 0;
    for (i64 k = 0; next_word(&line, &word); k++) {
        char kind = kind_of_word(known, k, words);
        i64 value = kind == '-' ? -1 : digits(word);
        text[at++] = ' ';
        if (value >= 0 && kind == 's') {
            text[at++] = '?';
            keep_aside(s, rank, (double)value);
            continue;
        }
        if (value >= 0) {
            text[at++] = 1;
            wraps[numbers] = kind == 'p';
            values[numbers++] = value;
            continue;
        }
        memcpy(text + at, word.at, (size_t)(word.end - word.at));
        at += word.end - word.at;
    }

    if (comment.at < comment.end) {
        memcpy(text + at, " #", 2);
        at += 2;
        while (next_word(&comment, &word)) {
            text[at++] = ' ';
            memcpy(text + at, word.at, (size_t)(word.end - word.at));
            at += word.end - word.at;
        }
    }

    i64 form = form_number(s, text, at, numbers, wraps), *greatest = s->forms[form].greatest;
    for (i64 n = 0; n < numbers; n++)
        if (values[n] > greatest[n]) greatest[n] = values[n];
    return symbol_number(s, form, values);
}

/* Whether a comment says something of an action. */
static int meant(Word comment) {
    Word word;
    return next_word(&comment, &word) && (is_word(word, "comm") || !strncmp(word.at, "request", 7));
}

/* Whether all characters are printable or blank. */
static int printable(const char *at, const char *end) {
    for (const char *c = at; c < end; c++)
        if ((unsigned char)*c >= 128 || (*c < ' ' && (*c < '\t' || *c > '\f' || *c == '\n'))) return 0;
    return 1;
}

static int fold_compute(Folding *s, Rank *rank, Word words) {
    Word word;
    double volume;
    if (!next_word(&words, &word) || amount_of(word, &volume)) return 0;
    keep_aside(s, rank, volume);
    s->actions++;
    return 1;
}

/* A step where the size of elements changes. */
static void fold_init(Folding *s, Rank *rank, const Line *line) {
    static const char ONE[] = "1";
    Word words = line->words, word;
    int element = next_word(&words, &word);
    if (element == rank->element) return;
    rank->element = element;
    step(s, rank, symbol_of(s, rank, line->name, line->length, (Word){ONE, ONE + element}, (Word){ONE, ONE}));
}

/* One line without its end; 0 where it is not plain. */
int fold_line(Folding *s, const char *at, const char *end) {
    static const char *const FREE[] = {"finalize", "comm_size", "comm_split", "comm_dup", "location", "test"};
    Line line;
    if (end > at && end[-1] == '\r') end--;
    if (!printable(at, end)) return 0;
    int kind = split_line(at, end, &line);
    if (kind != PLAIN) return kind == EMPTY;
    if (line.rank >= 1000000) return 0;
    int annotated = meant(line.comment);
    Word name = {line.name, line.name + line.length};
    Rank *rank = rank_of(s, line.rank);
    for (size_t k = 0; k < sizeof(FREE) / sizeof(*FREE); k++)
        if (is_word(name, FREE[k])) return !annotated;
    if (is_word(name, "compute")) return !annotated && fold_compute(s, rank, line.words);
    if (is_word(name, "init")) {
        if (!annotated) fold_init(s, rank, &line);
        return !annotated;
    }

    s->actions++;
    step(s, rank, symbol_of(s, rank, line.name, line.length, line.words, annotated ? line.comment : (Word){end, end}));
    return 1;
}

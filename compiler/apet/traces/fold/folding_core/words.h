/* From lines to symbols. What is not plain is left to Python. */

typedef struct { const char *at, *end; } Word;

static int blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int next_word(Word *line, Word *word) {
    while (line->at < line->end && blank(*line->at)) line->at++;
    if (line->at == line->end) return 0;
    word->at = line->at;
    while (line->at < line->end && !blank(*line->at)) line->at++;
    word->end = line->at;
    return 1;
}

/* Up to 15 decimal digits, or -1. */
static i64 digits(Word word) {
    i64 found = 0;
    if (word.end - word.at > 15) return -1;
    for (const char *c = word.at; c < word.end; c++) {
        if (*c < '0' || *c > '9') return -1;
        found = 10 * found + (*c - '0');
    }
    return found;
}

/* A finite number of 0 or more, or -1. */
static double volume_of(Word word) {
    i64 whole = digits(word);
    if (whole >= 0) return (double)whole;
    char text[64], *stop;
    i64 length = word.end - word.at;
    if (length >= (i64)sizeof(text)) return -1;
    for (i64 k = 0; k < length; k++) {
        char c = word.at[k];
        if (!((c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == 'e' || c == 'E')) return -1;
        text[k] = c;
    }
    text[length] = 0;
    double found = strtod(text, &stop);
    return *stop || !isfinite(found) || found < 0 ? -1 : found + 0.0;
}

static u64 text_key(const char *text, i64 length) {
    u64 key = (u64)length;
    for (i64 k = 0; k < length; k++) key = (key ^ (unsigned char)text[k]) * 0x100000001B3u;
    return mixed(key);
}

static void reindex(State *s, Index *index, i64 count, u64 (*key)(const State *, i64)) {
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

static u64 form_key(const State *s, i64 form) { return text_key(s->text + s->forms[form].text, s->forms[form].length); }

static u64 numbers_key(i64 form, const i64 *numbers, i64 count) {
    u64 key = mixed((u64)form);
    for (i64 k = 0; k < count; k++) key = mixed(key ^ (u64)numbers[k]);
    return key;
}

static u64 symbol_key(const State *s, i64 symbol) {
    const Symbol *found = &s->symbols[symbol];
    return numbers_key(found->form, s->numbers + found->first, s->forms[found->form].numbers);
}

static i64 form_number(State *s, const char *text, i64 length, i64 numbers, const char *wraps) {
    reindex(s, &s->form_index, s->form_count, form_key);
    i64 mask = s->form_index.room - 1, k = (i64)(text_key(text, length) & (u64)mask);
    for (; s->form_index.at[k] != NONE; k = (k + 1) & mask) {
        const Form *form = &s->forms[s->form_index.at[k]];
        if (form->length == length && !memcmp(s->text + form->text, text, (size_t)length)) return s->form_index.at[k];
    }
    s->forms = grown(s, s->forms, &s->form_room, s->form_count + 1, sizeof(*s->forms));
    s->text = grown(s, s->text, &s->text_room, s->text_length + length, 1);
    Form *form = &s->forms[s->form_count];
    *form = (Form){s->text_length, length, numbers, {0}};
    memcpy(form->wraps, wraps, MOST_NUMBERS);
    memcpy(s->text + s->text_length, text, (size_t)length);
    s->text_length += length;
    return s->form_index.at[k] = s->form_count++;
}

static i64 symbol_number(State *s, i64 form, const i64 *numbers) {
    i64 count = s->forms[form].numbers;
    reindex(s, &s->symbol_index, s->symbol_count, symbol_key);
    i64 mask = s->symbol_index.room - 1, k = (i64)(numbers_key(form, numbers, count) & (u64)mask);
    for (; s->symbol_index.at[k] != NONE; k = (k + 1) & mask) {
        const Symbol *found = &s->symbols[s->symbol_index.at[k]];
        if (found->form == form && !memcmp(s->numbers + found->first, numbers, (size_t)count * sizeof(i64)))
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

static u64 gap_key(const State *s, i64 gap) { return volumes_key(s->volumes + s->gaps[gap].first, s->gaps[gap].count); }

/* What was computed since the last step, as the value of a run. */
static double gap_value(State *s, Rank *rank) {
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

static Rank *rank_of(State *s, i64 rank) {
    while (rank >= s->rank_count) {
        s->ranks = grown(s, s->ranks, &s->rank_room, s->rank_count + 1, sizeof(*s->ranks));
        Rank *made = calloc(1, sizeof(*made));
        if (!made) longjmp(s->failed, 1);
        made->tail.around = 1;
        made->limit = s->longest;
        s->ranks[s->rank_count++] = made;
    }
    return s->ranks[rank];
}

static void step(State *s, Rank *rank, i64 symbol) {
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

static int is(Word word, const char *text) {
    size_t length = strlen(text);
    return (size_t)(word.end - word.at) == length && !memcmp(word.at, text, length);
}

static int begins(Word word, const char *text) {
    size_t length = strlen(text);
    return (size_t)(word.end - word.at) >= length && !memcmp(word.at, text, length);
}

/* The form of a line and the numbers in it. */
static i64 symbol_of(State *s, const char *name, i64 length, Word line, Word comment) {
    const Name *known = NULL;
    for (i64 k = 0; k < s->name_count && !known; k++)
        if (s->names[k].length == length && !memcmp(s->names[k].name, name, (size_t)length)) known = &s->names[k];
    s->line_text = grown(s, s->line_text, &s->line_room, length + 2 * (line.end - line.at + comment.end - comment.at) + 16, 1);
    char *text = s->line_text, wraps[MOST_NUMBERS] = {0};
    i64 at = length, numbers = 0, found[MOST_NUMBERS];
    memcpy(text, name, (size_t)length);
    Word word;
    for (i64 k = 0; next_word(&line, &word); k++) {
        char kind = known && k < known->number ? known->kinds[k] : '-';
        i64 value = kind == '-' ? -1 : digits(word);
        text[at++] = ' ';
        if (value >= 0) {
            text[at++] = 1;
            wraps[numbers] = kind == 'p';
            found[numbers++] = value;
            if (kind == 'p' && value > s->greatest) s->greatest = value;
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
    return symbol_number(s, form_number(s, text, at, numbers, wraps), found);
}

/* Whether a comment says something of an action. */
static int meant(Word comment) {
    Word word;
    return next_word(&comment, &word) && (is(word, "comm") || begins(word, "request"));
}

/* One line without its end; 0 where it is not plain. */
static int read_line(State *s, const char *at, const char *end) {
    if (end > at && end[-1] == '\r') end--;
    for (const char *c = at; c < end; c++)
        if ((unsigned char)*c >= 128 || (*c < ' ' && (*c < '\t' || *c > '\f' || *c == '\n'))) return 0;
    Word line = {at, end}, word, comment = {end, end};
    if (!next_word(&line, &word) || *word.at == '#') return 1;
    const char *hash = memchr(at, '#', (size_t)(end - at));
    if (hash) {
        if (word.end > hash) return 0;
        line.end = hash;
        comment.at = hash + 1;
        if (!meant(comment)) comment.at = end;
    }
    i64 number = word.end - word.at > 7 ? -1 : digits(word);
    if (number < 0 || number >= 1000000 || !next_word(&line, &word)) return 0;
    char name[LONGEST_NAME];
    i64 length = word.end - word.at;
    if (length >= LONGEST_NAME) return 0;
    for (i64 k = 0; k < length; k++) name[k] = word.at[k] >= 'A' && word.at[k] <= 'Z' ? word.at[k] | 32 : word.at[k];
    Rank *rank = rank_of(s, number);
    Word lower = {name, name + length};
    rank->seen = 1;
    static const char *const FREE[] = {"finalize", "comm_size", "comm_split", "comm_dup", "location", "test"};
    for (size_t k = 0; k < sizeof(FREE) / sizeof(*FREE); k++)
        if (is(lower, FREE[k])) return comment.at == comment.end;
    if (is(lower, "compute")) {
        double volume = next_word(&line, &word) ? volume_of(word) : -1;
        if (volume < 0 || comment.at < comment.end) return 0;
        rank->gap = grown(s, rank->gap, &rank->gap_room, rank->gap_count + 1, sizeof(double));
        rank->gap[rank->gap_count++] = volume;
        s->actions++;
        return 1;
    }
    if (is(lower, "init")) {
        int element = next_word(&line, &word);
        if (comment.at < comment.end) return 0;
        if (element != rank->element) {
            static const char ONE[] = "1";
            Word none = {end, end}, token = {ONE, ONE + element};
            rank->element = element;
            step(s, rank, symbol_of(s, name, length, token, none));
        }
        return 1;
    }
    s->actions++;
    step(s, rank, symbol_of(s, name, length, line, comment));
    return 1;
}

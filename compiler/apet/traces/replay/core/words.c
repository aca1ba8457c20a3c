/* Lines of a trace. What is not plain (mistakes, wildcards, actions that need the whole trace) is left to Python. */

enum { PLAIN, UNUSUAL };
enum { LONGEST_NAME = 16, MOST_WORDS = 8 };

typedef struct { const char *at, *end; } Word;

/* Words of the present line that are left. */
typedef struct { const char *at, *end; } Line;

static int blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int next_word(Line *line, Word *word) {
    while (line->at < line->end && blank(*line->at)) line->at++;
    if (line->at == line->end) return 0;
    word->at = line->at;
    while (line->at < line->end && !blank(*line->at)) line->at++;
    word->end = line->at;
    return 1;
}

/* A finite number of 0 or more; whole ones exactly as Python reads them. */
static int number_of(const Word *word, double *value) {
    double found = 0;
    const char *c = word->at;
    if (word->end - c <= 15) {
        while (c < word->end && *c >= '0' && *c <= '9') found = 10 * found + (*c++ - '0');
        if (c == word->end) {
            *value = found;
            return PLAIN;
        }
    }
    for (c = word->at; c < word->end; c++)
        if (!((*c >= '0' && *c <= '9') || *c == '.' || *c == '+' || *c == '-' || *c == 'e' || *c == 'E')) return UNUSUAL;
    char *stop;
    found = strtod(word->at, &stop);
    if (stop != word->end || !isfinite(found) || found < 0) return UNUSUAL;
    *value = found;
    return PLAIN;
}

static int whole_of(const Word *word, i64 *value) {
    double found;
    int negative = *word->at == '-';
    Word rest = {word->at + negative, word->end};
    if (rest.at == rest.end || number_of(&rest, &found) || found != floor(found) || found > 1e15) return UNUSUAL;
    *value = negative ? -(i64)found : (i64)found;
    return PLAIN;
}

static const signed char ELEMENTS[] = {8,  4, 1, 2,  8,  4,  1,  8, 1,  1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,
                                       8,  1, 2, 4,  8,     8,  16, 32, 8, 8, 8, 16, 16, 8, 8,  8, 16, 16, 4, 4,
                                       8, 16, 8, 16, 16,    4,  2,  4, 8,  16, 32, 1, 8, 16, 32, 0, 0, 1, 8, 8};

/* Bytes of an element, or -1. */
static i64 element_of(i64 code) {
    if (code >= 0 && code < (i64)sizeof(ELEMENTS)) return ELEMENTS[code];
    return code == -1 ? 0 : -1;
}

typedef struct {
    State *s;
    Lowering *l;
    i64 rank;
    Word words[MOST_WORDS];
    int number;
    Line rest;             /* all words after the action */
    const int *group;
    i64 group_size, own;   /* of the communicator of the line */
    i64 older;             /* how many older requests a wait passes over */
    i64 root, size;        /* what the ranks of a collective agree in; NONE: there is nothing such */
} Act;

static int count_at(const Act *a, int at, i64 *value) {
    return at < a->number ? whole_of(&a->words[at], value) : UNUSUAL;
}

static int flops_at(const Act *a, int at, double *value) {
    return at < a->number ? number_of(&a->words[at], value) : UNUSUAL;
}

/* Bytes of an element by the code at a position, or the rank's default. */
static int element_at(const Act *a, int at, i64 *value) {
    i64 code;
    *value = a->l->ranks[a->rank].element;
    if (at >= a->number) return PLAIN;
    if (whole_of(&a->words[at], &code) || (*value = element_of(code)) < 0) return UNUSUAL;
    return PLAIN;
}

static int size_at(const Act *a, int count, int code, i64 *value) {
    i64 element;
    if (count_at(a, count, value) || element_at(a, code, &element)) return UNUSUAL;
    *value *= element;
    return PLAIN;
}

/* The number of another rank. */
static int rank_at(const Act *a, int at, i64 ranks, i64 *value) {
    return count_at(a, at, value) || *value < 0 || *value >= ranks ? UNUSUAL : PLAIN;
}

static int root_at(Act *a, int at, i64 *value) {
    *value = 0;
    if (at < a->number && rank_at(a, at, a->group_size, value)) return UNUSUAL;
    a->root = *value;
    return PLAIN;
}

/* A size that is the same at all ranks. */
static int alike_at(Act *a, int code, i64 *value) {
    if (size_at(a, 0, code, value) || *value < 0) return UNUSUAL;
    a->size = *value;
    return PLAIN;
}

/* Counts by rank: skips `first` words, then reads as many as there are ranks; `after` are the words after all. */
static int counts(Act *a, int first, i64 *into) {
    Word word;
    i64 n = a->group_size;
    for (int k = 0; k < first; k++)
        if (!next_word(&a->rest, &word)) return UNUSUAL;
    for (i64 k = 0; k < n; k++)
        if (!next_word(&a->rest, &word) || whole_of(&word, &into[k]) || into[k] < 0) return UNUSUAL;
    return PLAIN;
}

static void words_after(Act *a) {
    for (a->number = 0; a->number < MOST_WORDS && next_word(&a->rest, &a->words[a->number]);) a->number++;
}

static void times(i64 *values, i64 number, i64 by) {
    for (i64 k = 0; k < number; k++) values[k] *= by;
}

/* `# request 2`: which of equal requests a wait means. */
static int request_comment(Act *a, Line line) {
    Word word;
    if (!next_word(&line, &word) || whole_of(&word, &a->older) || a->older < 0 || next_word(&line, &word)) return UNUSUAL;
    return PLAIN;
}

static uint64_t hash_of(const Act *a) {
    uint64_t hash = 0;
    for (i64 k = 0; k < a->group_size; k++) hash = mixed(hash * 0x9e3779b97f4a7c15u + (uint64_t)a->group[k] + 1);
    return hash;
}

/* Counts different communicators, by their hashes. */
static int note_group(const Act *a) {
    Lowering *l = a->l;
    uint64_t hash = hash_of(a);
    for (i64 k = 0; k < l->communicators; k++)
        if (l->groups[k] == hash) return PLAIN;
    if (!grow((void **)&l->groups, l->communicators, &l->group_room, sizeof(uint64_t))) a->s->failed = 1;
    else l->groups[l->communicators++] = hash;
    return PLAIN;
}

/* `# comm 0,3,12-15`: the members into the lowering's group. */
static int communicator(Act *a, const char *at, const char *end) {
    Line line = {at, end};
    Word word;
    if (!next_word(&line, &word)) return PLAIN;
    if (word.end - word.at == 7 && !memcmp(word.at, "request", 7)) return request_comment(a, line);
    if (word.end - word.at < 4 || memcmp(word.at, "comm", 4)) return PLAIN;
    if (word.end - word.at != 4 || !next_word(&line, &word)) return UNUSUAL;
    i64 ranks = a->s->t.ranks, number = 0, own = -1, mark = ++a->l->communicator_lines;
    for (const char *c = word.at; c < word.end; c++) {
        i64 low = 0, high;
        const char *digits = c;
        while (c < word.end && *c >= '0' && *c <= '9' && low < ranks) low = 10 * low + (*c++ - '0');
        if (c == digits) return UNUSUAL;
        high = low;
        if (c < word.end && *c == '-') {
            digits = ++c;
            for (high = 0; c < word.end && *c >= '0' && *c <= '9' && high < ranks; c++) high = 10 * high + (*c - '0');
            if (c == digits) return UNUSUAL;
        }
        if ((c < word.end && *c != ',') || c + 1 == word.end || high >= ranks || number + high - low + 1 > ranks)
            return UNUSUAL;
        for (; low <= high; low++) {
            if (a->l->named[low] == mark) return UNUSUAL; /* twice */
            a->l->named[low] = mark;
            if (low == a->rank) own = number;
            a->l->group[number++] = (int)low;
        }
    }
    if (own < 0 || next_word(&line, &word)) return UNUSUAL;
    a->group = a->l->group;
    a->group_size = number;
    a->own = own;
    return a->l->mode == REPLAYING ? PLAIN : note_group(a);
}

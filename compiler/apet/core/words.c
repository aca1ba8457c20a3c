/* Words of an action: what they mean for messages and collectives. */

#include "reading.h"

static const signed char ELEMENTS[] = {8,  4, 1, 2,  8,  4,  1,  8, 1,  1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,
                                       8,  1, 2, 4,  8,     8,  16, 32, 8, 8, 8, 16, 16, 8, 8,  8, 16, 16, 4, 4,
                                       8, 16, 8, 16, 16,    4,  2,  4, 8,  16, 32, 1, 8, 16, 32, 0, 0, 1, 8, 8};

/* Bytes of an element, or -1. */
static i64 element_of(i64 code) {
    if (code >= 0 && code < (i64)sizeof(ELEMENTS)) return ELEMENTS[code];
    return code == -1 ? 0 : -1;
}

int count_at(const Act *a, int at, i64 *value) {
    return at < a->number ? whole_of(a->words[at], value) : UNUSUAL;
}

int flops_at(const Act *a, int at, double *value) {
    return at < a->number ? amount_of(a->words[at], value) : UNUSUAL;
}

/* Bytes of an element by the code at a position, or the rank's default. */
int element_at(const Act *a, int at, i64 *value) {
    i64 code;
    *value = a->l->ranks[a->rank].element;
    if (at >= a->number) return PLAIN;
    if (whole_of(a->words[at], &code) || (*value = element_of(code)) < 0) return UNUSUAL;
    return PLAIN;
}

int size_at(const Act *a, int count, int code, i64 *value) {
    i64 element;
    if (count_at(a, count, value) || element_at(a, code, &element)) return UNUSUAL;
    *value = product(&a->l->exceeded, *value, element);
    return PLAIN;
}

/* The number of another rank. */
int rank_at(const Act *a, int at, i64 ranks, i64 *value) {
    return count_at(a, at, value) || *value < 0 || *value >= ranks ? UNUSUAL : PLAIN;
}

int root_at(Act *a, int at, i64 *value) {
    *value = 0;
    if (at < a->number && rank_at(a, at, a->group_size, value)) return UNUSUAL;
    a->root = *value;
    return PLAIN;
}

/* A size that is the same at all ranks. */
int alike_at(Act *a, int code, i64 *value) {
    if (size_at(a, 0, code, value) || *value < 0) return UNUSUAL;
    a->size = *value;
    return PLAIN;
}

/* Counts by rank: skips `first` words, then reads as many as there are ranks; `after` are the words after all. */
int counts(Act *a, int first, i64 *into) {
    Word word;
    i64 n = a->group_size;
    for (int k = 0; k < first; k++)
        if (!next_word(&a->rest, &word)) return UNUSUAL;
    for (i64 k = 0; k < n; k++)
        if (!next_word(&a->rest, &word) || whole_of(word, &into[k]) || into[k] < 0) return UNUSUAL;
    return PLAIN;
}

void words_after(Act *a) {
    for (a->number = 0; a->number < MOST_WORDS && next_word(&a->rest, &a->words[a->number]);) a->number++;
}

/* Counts as bytes, whose sum is within the limit as well; all are 0 where it is not, so that nobody adds them. */
void bytes_of(Act *a, i64 element) {
    i64 all = 0, *values = a->l->sizes;
    for (i64 k = 0; k < a->group_size; k++) {
        values[k] = product(&a->l->exceeded, values[k], element);
        all = total(&a->l->exceeded, all, values[k]);
    }
    for (i64 k = 0; a->l->exceeded && k < a->group_size; k++) values[k] = 0;
}

/* `# request 2`: which of equal requests a wait means. */
static int request_comment(Act *a, Word comment) {
    Word word;
    if (!next_word(&comment, &word) || whole_of(word, &a->older) || a->older < 0 || next_word(&comment, &word)) return UNUSUAL;
    return PLAIN;
}

u64 hash_of(const Act *a) {
    u64 hash = 0;
    for (i64 k = 0; k < a->group_size; k++) hash = spread(hash * 0x9e3779b97f4a7c15u + (u64)a->group[k] + 1);
    return hash;
}

/* Counts different communicators, by their hashes. */
static int note_group(const Act *a) {
    Lowering *l = a->l;
    u64 hash = hash_of(a);
    for (i64 k = 0; k < l->communicators; k++)
        if (l->groups[k] == hash) return PLAIN;
    if (!grow((void **)&l->groups, l->communicators, &l->group_room, sizeof(u64))) a->s->failed = 1;
    else l->groups[l->communicators++] = hash;
    return PLAIN;
}

/* `# comm 0,3,12-15`: the members into the lowering's group. */
static int communicator(Act *a, Word comment) {
    Word word;
    if (!next_word(&comment, &word)) return UNUSUAL;
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

    if (own < 0 || next_word(&comment, &word)) return UNUSUAL;
    a->group = a->l->group;
    a->group_size = number;
    a->own = own;
    return a->l->mode == REPLAYING ? PLAIN : note_group(a);
}

int annotation(Act *a, Word comment) {
    Word word;
    if (!next_word(&comment, &word)) return PLAIN;
    if (is_word(word, "request")) return request_comment(a, comment);
    if (is_word(word, "comm")) return communicator(a, comment);
    return word.end - word.at > 4 && !memcmp(word.at, "comm", 4) ? UNUSUAL : PLAIN;
}

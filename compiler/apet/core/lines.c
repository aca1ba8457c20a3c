/* Lines of a trace: the one place where they are taken apart. */

#include "lines.h"

static const double MOST_AMOUNT = 1e100; /* as in actions.py */

int number_of(Word word, double *value) {
    i64 whole = digits(word);
    *value = (double)whole;
    if (whole >= 0) return PLAIN;
    char *stop;
    for (const char *c = word.at; c < word.end; c++)
        if (!((*c >= '0' && *c <= '9') || *c == '.' || *c == '+' || *c == '-' || *c == 'e' || *c == 'E')) return UNUSUAL;
    *value = strtod(word.at, &stop) + 0.0; /* text ends with a 0, and -0.0 is 0.0 */
    return stop == word.end && isfinite(*value) && *value >= 0 ? PLAIN : UNUSUAL;
}

int amount_of(Word word, double *value) { return number_of(word, value) || *value > MOST_AMOUNT ? UNUSUAL : PLAIN; }

int whole_of(Word word, i64 *value) {
    int negative = *word.at == '-', beyond = 0;
    i64 whole = 0;
    const char *c = word.at += negative;
    for (; c < word.end && *c >= '0' && *c <= '9'; c++) whole = total(&beyond, product(&beyond, whole, 10), *c - '0');

    if (c < word.end) { /* 1e6 */
        double number;
        if (number_of(word, &number) || number != floor(number) || number > (double)MOST_BYTES) return UNUSUAL;
        whole = (i64)number;
    }

    *value = negative ? -whole : whole;
    return word.at == word.end || beyond ? UNUSUAL : PLAIN;
}

int split_line(const char *at, const char *end, Line *line) {
    Word word;
    line->words = (Word){at, end};
    if (!next_word(&line->words, &word) || *word.at == '#') return EMPTY;
    const char *comment = memchr(at, '#', (size_t)(end - at));
    line->words.end = comment ? comment : end;
    line->comment = (Word){comment ? comment + 1 : end, end};
    if (word.end > line->words.end) return UNUSUAL;
    line->rank = digits(word);
    if (line->rank < 0 || !next_word(&line->words, &word)) return UNUSUAL;
    line->length = word.end - word.at;
    if (line->length >= LONGEST_NAME) return UNUSUAL;
    for (i64 k = 0; k < line->length; k++)
        line->name[k] = (char)(word.at[k] >= 'A' && word.at[k] <= 'Z' ? word.at[k] | 32 : word.at[k]);
    return PLAIN;
}

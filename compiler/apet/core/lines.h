/* Lines of a trace: `RANK ACTION WORD ... # COMMENT`. What is not plain is left to Python, which can say what is wrong. */

#ifndef APET_LINES_H
#define APET_LINES_H

#include "core.h"

enum { PLAIN, UNUSUAL, EMPTY };
enum { LONGEST_NAME = 16 };

/* A word, or several with blanks between them. */
typedef struct { const char *at, *end; } Word;

typedef struct {
    i64 rank;
    char name[LONGEST_NAME]; /* of the action, in small letters */
    i64 length;
    Word words, comment;     /* after the action; after #, or empty */
} Line;

static inline int blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Takes a word off the front of several; 0 where there is none. */
static inline int next_word(Word *words, Word *word) {
    while (words->at < words->end && blank(*words->at)) words->at++;
    if (words->at == words->end) return 0;
    word->at = words->at;
    while (words->at < words->end && !blank(*words->at)) words->at++;
    word->end = words->at;
    return 1;
}

static inline int is_word(Word word, const char *text) {
    size_t length = strlen(text);
    return (size_t)(word.end - word.at) == length && !memcmp(word.at, text, length);
}

/* Up to 15 decimal digits, or -1. */
static inline i64 digits(Word word) {
    i64 value = 0;
    if (word.end - word.at > 15) return -1;
    for (const char *c = word.at; c < word.end; c++) {
        if (*c < '0' || *c > '9') return -1;
        value = 10 * value + (*c - '0');
    }
    return value;
}

/* A finite number of 0 or more; whole ones exactly as Python reads them. */
int number_of(Word word, double *value);

/* Flops or seconds: not so many that sums of them are infinite. */
int amount_of(Word word, double *value);

/* A whole number of either sign, within the limit. */
int whole_of(Word word, i64 *value);

/* A line without its end: PLAIN, UNUSUAL, or EMPTY where it is at most a comment. */
int split_line(const char *at, const char *end, Line *line);

#endif

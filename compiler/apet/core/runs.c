/* Where in a trace the lines of which rank begin; runs of equal volumes in a folded one. */

#include "lines.h"

/* As in folded_reader.py. */
enum { LONGEST_VOLUME = 64, MOST_TIMES = 1000000000 };

/* Notes each change of rank, by the number at the beginning of lines, in whole lines of text: the rank and how many
 * bytes are before. `rank` of the line before goes in and out. Empty lines and comments belong to what is before them.
 * The number of changes, or -1: more than `room`, or a line that begins with something else. */
i64 apet_runs(const char *text, i64 length, i64 *rank, i64 *ranks, i64 *starts, i64 room) {
    const char *at = text, *end = text + length;
    i64 runs = 0;

    while (at < end) {
        const char *line = at;
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if (at < end && *at >= '0' && *at <= '9') {
            i64 number = 0;
            for (; at < end && *at >= '0' && *at <= '9'; at++) {
                number = 10 * number + (*at - '0');
                if (number > 1000000) return -1;
            }
            if (number != *rank) {
                if (runs == room) return -1;
                ranks[runs] = *rank = number;
                starts[runs++] = line - text;
            }
        } else if (at < end && *at != '#' && *at != '\n' && *at != '\r') {
            return -1;
        }
        while (at < end && *at != '\n') at++;
        at++;
    }

    return runs;
}

/* A volume at the beginning of some text; what is behind it, or NULL where it is not plain. */
static const char *volume_at(const char *at, double *value) {
    Word word = {at, at};
    while (*word.end && *word.end != ' ' && *word.end != '*' && *word.end != ',') word.end++;
    if (word.end == at || word.end - at >= LONGEST_VOLUME || amount_of(word, value)) return NULL;
    return word.end;
}

/* Reads words with one blank between them, `VOLUME` or `VOLUME*TIMES`; `VOLUME,VOLUME` is a gap, by its number: -1, -2, ...
 * By gap its width, then their volumes. `numbers`: words and gaps; 0 where one is not plain. */
void apet_volumes(const char *text, double *values, i64 *counts, i64 *widths, double *volumes, i64 *numbers) {
    i64 number = 0, gaps = 0;
    numbers[0] = numbers[1] = 0;

    for (const char *at = text;; at++, number++) {
        i64 width = 1;
        at = volume_at(at, &values[number]);
        if (at && *at == ',') *volumes++ = values[number];
        for (; at && *at == ',' && at[1] && at[1] != ' ' && at[1] != '*'; width++) at = volume_at(at + 1, volumes++);
        if (at && *at == ',') at++; /* `0,`: an action that computes nothing */
        if (!at) return;
        if (at[-1] == ',' || width > 1) {
            widths[gaps] = width;
            values[number] = -(double)++gaps;
        }

        counts[number] = 1;
        if (*at == '*') {
            Word times = {at + 1, at + 1};
            while (*times.end && *times.end != ' ') times.end++;
            counts[number] = times.end > times.at ? digits(times) : 0;
            if (counts[number] < 1 || counts[number] > MOST_TIMES) return;
            at = times.end;
        }
        if (!*at) break;
        if (*at != ' ') return;
    }

    numbers[0] = number + 1;
    numbers[1] = gaps;
}

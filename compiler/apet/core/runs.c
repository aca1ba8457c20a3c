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

/* Reads words with one blank between them, `VOLUME` or `VOLUME*TIMES`; how many, or -1 where one is not plain. */
i64 apet_volumes(const char *text, double *values, i64 *counts) {
    i64 number = 0;

    for (const char *at = text; *at; at++, number++) {
        Word volume = {at, at}, times;
        while (*volume.end && *volume.end != ' ' && *volume.end != '*') volume.end++;
        times.at = times.end = volume.end + (*volume.end == '*');
        while (*times.end && *times.end != ' ') times.end++;

        if (volume.end == at || volume.end - at >= LONGEST_VOLUME || amount_of(volume, &values[number])) return -1;
        counts[number] = times.at > volume.end ? digits(times) : 1;
        if (counts[number] < 1 || counts[number] > MOST_TIMES) return -1;
        at = times.end;
        if (!*at) return number + 1;
    }

    return -1;
}

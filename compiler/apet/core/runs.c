/* Where in a trace the lines of which rank begin. */

#include "core.h"

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

/* Folded traces, unfolded while they are replayed: no line of a computation is ever made. */

#include <stdio.h>

#include "reading.h"

static i64 number_at(const Tape *t, const i64 *item) {
    i64 value = item[0], modulus = item[1];
    for (i64 k = 0; k < item[2]; k++) value += item[4 + 2 * k] * t->index[item[3 + 2 * k]];
    if (!modulus) return value;
    value %= modulus;
    return value < 0 ? value + modulus : value;
}

/* The next volumes of a stream. */
static void compute_next(State *s, Tape *t, i64 stream) {
    Lowering *l = s->lowering;
    i64 run = t->run[stream], width = t->widths[stream] ? t->widths[stream][run] : 1;
    const double *volumes = t->volumes[stream] + t->volume[stream];

    for (i64 k = 0; k < width; k++) {
        l->at = l->ranks[t->rank].actions;
        l->ranks[t->rank].lines++;
        compute_act(s, t->rank, volumes[k]);
    }

    if (!t->left[stream]) t->left[stream] = t->counts[stream][run];
    if (--t->left[stream]) return;
    t->run[stream]++;
    t->volume[stream] += width;
}

int unfold(State *s, Tape *t) {
    char *end = t->line;

    for (;;) {
        const i64 *item = t->items + t->at;
        switch (item[0]) {
        case LINE: {
            t->at += 4;
            const char *text = t->text + item[1];
            if (end == t->line) return read_line(s, text, text + item[2]);
            memcpy(end, text, (size_t)item[2] + 1);
            return read_line(s, t->line, end + item[2]);
        }
        case PART:
            memcpy(end, t->text + item[1], (size_t)item[2]);
            end += item[2];
            t->at += 3;
            break;
        case NUMBER:
            end += sprintf(end, "%lld", (long long)number_at(t, item + 1));
            t->at += 4 + 2 * item[3];
            break;
        case VOLUMES:
            t->at += 3;
            compute_next(s, t, item[1]);
            break;
        case AGAIN:
            if (++t->index[item[1]] < item[2]) {
                t->at = item[3];
            } else {
                t->index[item[1]] = 0;
                t->at += 4;
            }
            break;
        default:
            return PLAIN;
        }
        if (s->failed) return PLAIN;
    }
}

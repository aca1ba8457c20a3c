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

/* Takes the next run's volumes off a stream, so many. */
static const double *take_next(Tape *t, i64 stream, i64 *width) {
    i64 run = t->run[stream];
    const double *volumes = t->volumes[stream] + t->volume[stream];
    *width = t->widths[stream] ? t->widths[stream][run] : 1;
    if (!t->left[stream]) t->left[stream] = t->counts[stream][run];
    if (!--t->left[stream]) {
        t->run[stream]++;
        t->volume[stream] += *width;
    }

    return volumes;
}

/* The next volumes of a stream. */
static void compute_next(State *s, Tape *t, i64 stream) {
    Lowering *l = s->lowering;
    i64 width;
    const double *volumes = take_next(t, stream, &width);

    for (i64 k = 0; k < width; k++) {
        l->at = l->ranks[t->rank].actions;
        l->ranks[t->rank].lines++;
        compute_act(s, t->rank, volumes[k]);
    }
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
        case ASIDE: {
            i64 width;
            const double *value = take_next(t, item[1], &width);
            end += sprintf(end, "%lld", width ? (long long)*value : 0LL);
            t->at += 2;
            break;
        }
        case VOLUMES:
            t->at += 3;
            compute_next(s, t, item[1]);
            break;
        case TIMES: {
            i64 width;
            const double *value = take_next(t, item[1], &width);
            t->times[item[2]] = width ? (i64)*value : 0;
            t->at = width ? t->at + 4 : item[3];
            break;
        }
        case AGAIN:
            if (++t->index[item[1]] < (item[2] ? item[2] : t->times[item[1]])) {
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

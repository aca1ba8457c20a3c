/* What a link may hold back of each flow, and how long this takes at most. */

#include "core.h"

enum { MOST_KINDS = 16 };

/* What may be on the link with a flow, of each column. */
static void around(const Held *h, i64 flow, double *most_around) {
    const double *before = h->before + flow * h->columns, *after = h->after + flow * h->columns;
    const double *amount = h->amount + flow * h->columns;
    const double *most = h->meanwhile ? h->meanwhile + h->step[flow] * h->columns : h->total;
    for (i64 c = 0; c < h->columns; c++) {
        double apart = h->total[c] - before[c] - after[c], least = most[c] < h->total[c] ? most[c] : h->total[c];
        if (h->meanwhile && c >= 1 && c <= h->kinds && h->at_once[c] < least) least = h->at_once[c];
        most_around[c] = (apart < least ? apart : least) + h->rounding[c];
        if (amount[c] > most_around[c]) most_around[c] = amount[c];
    }
}

typedef struct { double until, seconds; } Kind;

/* The kinds of other flows, in the order in which all of each has been carried. */
static void sorted_kinds(const Held *h, i64 flow, const double *all, Kind *kinds) {
    const double *amount = h->amount + flow * h->columns;
    for (i64 c = 0; c < h->kinds; c++) {
        double weight = all[1 + c] - amount[1 + c], volume = all[1 + h->kinds + c] - amount[1 + h->kinds + c];
        double pull = (weight > 0 ? weight : 0) * h->ratio[flow * h->ratios + (h->ratios > 1 ? c : 0)];
        Kind now = {pull > 0 ? volume / pull : 0, pull / h->capacity};
        i64 k = c;
        for (; k > 0 && kinds[k - 1].until > now.until; k--) kinds[k] = kinds[k - 1];
        kinds[k] = now;
    }
}

static int held_at_all(const Held *h, i64 flow, const double *all) {
    double others = 0;
    for (i64 c = 1 + h->kinds; c < h->columns; c++) others += all[c] - h->amount[flow * h->columns + c];
    return all[0] > h->fits && others > 0;
}

/* How many pieces there are; at most so many per flow as there are kinds. */
i64 apet_pieces(const Held *h) {
    double all[1 + 2 * MOST_KINDS];
    Kind kinds[MOST_KINDS];
    i64 number = 0;

    for (i64 flow = 0; flow < h->flows; flow++) {
        around(h, flow, all);
        if (!held_at_all(h, flow, all)) continue;
        sorted_kinds(h, flow, all, kinds);
        double more = h->share[flow] / h->capacity - 1 / h->rate[h->pair[h->message[flow]]], seconds = 0;
        for (i64 k = h->kinds; k-- > 0;) kinds[k].seconds = seconds += kinds[k].seconds;
        for (i64 k = 0; k < h->kinds; k++) {
            double length = kinds[k].until - (k ? kinds[k - 1].until : 0);
            if (!(length > 0) || !(kinds[k].seconds + more > 0)) continue;
            h->held[number] = h->message[flow];
            h->volume[number] = length;
            h->seconds[number++] = kinds[k].seconds + more;
        }
    }

    return number;
}

typedef struct { double volume, seconds; } Piece;

/* Bytes go where they take longest: seconds by which `left` bytes are held back at most. Orders the pieces. */
static double slowest(Piece *pieces, i64 number, double left) {
    double seconds = 0;
    for (i64 k = 1; k < number; k++) {
        Piece now = pieces[k];
        i64 j = k;
        for (; j > 0 && pieces[j - 1].seconds < now.seconds; j--) pieces[j] = pieces[j - 1];
        pieces[j] = now;
    }

    for (i64 k = 0; k < number && left > 0; k++) {
        seconds += (pieces[k].volume < left ? pieces[k].volume : left) * pieces[k].seconds;
        left -= pieces[k].volume;
    }

    return seconds;
}

enum { TOGETHER = 4096 };

/* The pieces of all links, each in the order of messages; some messages at a time. */
typedef struct {
    i64 links, *at; /* by link, the next piece */
    const i64 *counts, *const *message;
    const double *const *volume, *const *seconds;
    i64 first[TOGETHER + 2];
    Piece *pieces;
    i64 room;
} Sorter;

/* Sorts the pieces of the messages from `from` on by message. 0 if memory ran out. */
static int sort_pieces(Sorter *s, i64 from) {
    i64 number = 0;
    memset(s->first, 0, sizeof(s->first));
    for (i64 link = 0; link < s->links; link++)
        for (i64 k = s->at[link]; k < s->counts[link] && s->message[link][k] < from + TOGETHER; k++, number++)
            s->first[s->message[link][k] - from + 1]++;
    if (number > s->room) {
        free(s->pieces);
        s->pieces = malloc((size_t)(2 * number) * sizeof(Piece));
        s->room = s->pieces ? 2 * number : 0;
        if (!s->pieces) return 0;
    }

    for (i64 m = 0; m <= TOGETHER; m++) s->first[m + 1] += s->first[m];
    for (i64 link = 0; link < s->links; link++) {
        i64 k = s->at[link];
        for (; k < s->counts[link] && s->message[link][k] < from + TOGETHER; k++)
            s->pieces[s->first[s->message[link][k] - from]++] = (Piece){s->volume[link][k], s->seconds[link][k]};
        s->at[link] = k;
    }

    return 1;
}

/* Adds, by message, the seconds by which several links hold it back at most. 1 if memory ran out. */
i64 apet_held_back(i64 links, const i64 *counts, const i64 *const *message, const double *const *volume,
                   const double *const *seconds, i64 messages, const double *bytes, double *held) {
    Sorter s = {.links = links, .counts = counts, .message = message, .volume = volume, .seconds = seconds};
    s.at = calloc((size_t)links + 1, sizeof(i64));
    int failed = !s.at;
    for (i64 from = 0; from < messages && !failed; from += TOGETHER) {
        failed = !sort_pieces(&s, from);
        i64 begin = 0;
        for (i64 m = from; !failed && m < messages && m < from + TOGETHER; m++) {
            i64 end = s.first[m - from]; /* moved to the end of the message's pieces */
            held[m] += slowest(s.pieces + begin, end - begin, bytes[m]);
            begin = end;
        }
    }
    free(s.at);
    free(s.pieces);
    return failed;
}

/* What a replay is made of. */

#ifndef APET_REPLAY_H
#define APET_REPLAY_H

#include "core.h"

enum { SENDER = 1, RECEIVER = 2 };
enum { ACTIONS, MESSAGES, BYTES, SEGMENTS, HUNGRY_RANK, NEW_PAIRS, HELD }; /* the setting's counts */
enum { ENDED, FAILED, HUNGRY };                                         /* how a run stops */

static const double FULL = 1e-12, SAME_LEVEL = 1e-5;

typedef struct Lowering Lowering; /* reading.h */

/* Operations of one rank; `base` of them are no longer held. */
typedef struct {
    i64 *items;
    i64 base, length, room;
    int complete;
} Queue;

typedef struct {
    i64 size;
    int pair, next; /* the next message of the channel of which one side is posted */
    unsigned char posted, ended, done, early, waits; /* waits: the send does not return at once */
} Message;

/* A link of a path, and by number the share of the rate that it carries. Kept small: there are many. */
typedef struct { int link, share; } Use;

enum { MOST_SHARES = 4096 };

typedef struct {
    int source, target, uses, forwards;
    i64 use, forward; /* the first of them */
    double latency, penalty, inverse, bound; /* inverse: 1 / p */
} Path;

typedef struct {
    double left, speed, since, factor;
    i64 message;
    int pair, active;
} Flow;

typedef struct { int flow, use; double weight; } User;

/* What solving needs of a link ... */
typedef struct {
    double left, weight, taken, load, capacity; /* load: what its flows would take at their bounds */
    int stamp, open;
    unsigned char tight, stale, shared, changed;
} Link;

/* ... and what else there is. */
typedef struct {
    User *users;
    int number, room, over;
    double pull;        /* the weights of all users */
    double least, most; /* p of the flows that may use it */
    int never;          /* a FATPIPE that limits nobody */
} Crowd;

typedef struct { i64 rank, computes, operation; double begin, end; } Segment;

struct State {
    Setting t;
    double now;
    /* heap: entries below `ranks` are ranks, the others flows */
    double *date;
    int *heap, *where;
    i64 heaped;
    /* flows */
    Flow *flows;
    double *rate, *level, *settled; /* by flow; level: rate times p */
    int *stamped;
    unsigned char *fixed;
    int *at_link, *spare;         /* position of a use in its link's list */
    i64 most_uses, room, spares, active, highest, affected;
    Link *links;
    Crowd *crowds;
    double share[MOST_SHARES];
    int shares;
    int *entered, *changed, *component, *around, *tied;
    i64 entries, changes;
    int stamp;
    double floor;                 /* rates at a lower level do not change */
    /* paths by pair of ranks */
    Path *paths;
    i64 pairs, pair_room, routed;
    Use *uses;
    i64 used, use_room;
    int *forward;
    i64 forwards, forward_room;
    /* messages and operations */
    Message *messages;
    i64 message_room, message_count, spare_message;
    int recycles;
    Queue *queues;
    double *values;
    i64 value_room, value_count;
    int *spare_value;
    i64 spare_values;
    const Programs *programs;
    Lowering *lowering; /* NULL: operations come from programs */
    /* ranks */
    i64 *waits_for;
    int *state, *awake;
    i64 head, tail;
    double *began, *work, *work_rate, *work_since;
    int **running;
    i64 *busy;
    Segment *segments;
    i64 segment_room;
    i64 **gathered; /* by rank: the messages of a wait for all that have not ended */
    i64 *gathers;
    int failed;
};

/* Ranks and time (engine.c). */
int run(State *s);
void wake(State *s, int rank);

/* A side needs a message no more: its number is free when neither does and it has ended. */
void settled(State *s, i64 message, int sides);

/* Seconds by size, from rows: bytes above which it holds, seconds, seconds per byte; the first one holds below as well. */
static inline double overhead(const double *rows, i64 steps, i64 size) {
    i64 k = 0;
    while (k + 1 < steps && rows[3 * (k + 1)] < (double)size) k++;
    return steps ? rows[3 * k + 1] + rows[3 * k + 2] * (double)size : 0;
}

/* What the receiver of a message needs when it has ended. */
static inline double take_of(const State *s, i64 message) {
    if (s->programs) return s->programs->take ? s->programs->take[message] : 0;
    const Message *m = &s->messages[message];
    return m->waits ? 0 : overhead(s->t.take, s->t.take_steps, m->size);
}

/* Flows and their rates (sharing.c). Where a result is an int, it is 1 if memory ran out. */
int more_flows(State *s);
int widen(State *s, i64 uses);
void refresh(State *s, i64 link);
void change(State *s, i64 link);
void leave(State *s, int flow);
void settle(State *s);

#endif

/* What a replay is made of. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

enum { COMPUTE, SLEEP, SEND, RECEIVE, SENT, RECEIVED, ANY, ENTER, LEAVE };
enum { SHIFT = 4, MASK = 15, HEADER = 16, EAGER_LIMIT = 65536 };
enum { READY, COMPUTING, SLEEPING, WAITING, CHOOSING };
enum { SENDER = 1, RECEIVER = 2 };

static const double SAME_MOMENT = 1e-9, FULL = 1e-12, SAME_LEVEL = 1e-5;

/* The platform and where results go: arrays of the caller. */
typedef struct {
    i64 ranks, links, hosts, steps;
    const double *capacity; /* by link */
    const i64 *shared;
    const double *speed;    /* by host */
    const i64 *cores;
    const i64 *place;       /* by rank: its host */
    const double *threshold, *latency_factor, *bandwidth_factor; /* of `steps` thresholds, one more factor each */
    double *computed, *waited, *ends, *carried;
    i64 *stands;
    i64 *counts;            /* actions, messages, bytes, segments, hungry rank, new pairs, operations held */
    i64 record;
} Setting;

enum { ACTIONS, MESSAGES, BYTES, SEGMENTS, HUNGRY, NEW_PAIRS, HELD };

/* Flat programs of the caller. */
typedef struct {
    i64 ranks, messages;
    const i64 *const *operations; /* by rank */
    const i64 *lengths;
    const double *values;
    const i64 *pair, *size;       /* by message */
    const i64 *source, *target;   /* by pair: ranks */
    i64 groups;
    const i64 *group_first, *group_needed, *group_message;
} Programs;

/* Operations of one rank; `base` of them are no longer held. */
typedef struct {
    i64 *items;
    i64 base, length, room;
    int complete;
} Queue;

typedef struct {
    i64 size;
    int pair, next; /* the next message of the channel of which one side is posted */
    unsigned char posted, ended, done, synchronous;
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

typedef struct { i64 rank; i64 computes; double begin, end; } Segment;

struct Lowering;

typedef struct {
    Setting t;
    double now;
    /* heap: entries below `ranks` are ranks, the others flows */
    double *date;
    int *heap, *where;
    i64 heaped;
    /* flows */
    Flow *flows;
    double *rate, *level, *found; /* by flow; level: rate times p */
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
    struct Lowering *lowering;
    /* ranks */
    i64 *waits_for;
    int *state, *awake;
    i64 head, tail;
    double *began, *work, *work_rate, *work_since;
    int **running;
    i64 *busy;
    Segment *segments;
    i64 segment_room;
    int failed;
} State;

/* Makes room for one more than `number` items; 0 if memory ran out. */
static int grow(void **items, i64 number, i64 *room, size_t size) {
    if (number < *room) return 1;
    i64 wanted = *room ? 2 * *room : 64;
    void *found = realloc(*items, (size_t)wanted * size);
    if (!found) return 0;
    *items = found;
    *room = wanted;
    return 1;
}

static void *zeroed(State *s, i64 number, size_t size) {
    void *found = calloc((size_t)(number > 0 ? number : 1), size);
    if (!found) s->failed = 1;
    return found;
}

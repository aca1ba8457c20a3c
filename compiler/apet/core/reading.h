/* Operations of ranks as they are read: what lines say, messages numbered and matched, requests resolved. */

#ifndef APET_READING_H
#define APET_READING_H

#include "lines.h"
#include "replay.h"

typedef struct {
    i64 source, target, tag;
    int pair, sends;       /* whether the sides that wait for others are sends */
    int first, last;       /* messages of which one side is posted */
    int open[2], final[2]; /* requests of the sender and of the receiver (with oneself: the first list for both) */
    int used;
} Channel;

/* An open request: in a channel's list by `next`, in its rank's between others. That of a non-blocking collective is
 * `DONE`, but has parts: nodes with one request each, chained by `next`, and flops after them. `action`: what posted it. */
typedef struct { i64 request; int channel, list, next, before, after, parts, action; double flops; } Node;

typedef struct {
    int first;             /* its open requests, oldest first */
    int last;
    i64 element;           /* bytes of an element unless said */
    i64 lines, actions, collectives, syncs;
    u64 synced;            /* hash of the collectives that separate before from after */
    i64 consumed;          /* how many of the open requests waits for any have taken */
    double flops, lost;    /* computed, and what rounding has lost of it */
    int *origins;          /* by operation: its action, where all are kept */
    i64 origin_room;
} Reading;

/* What all ranks should agree in, by collective of all. */
typedef struct { int action, root; i64 size; } Agreed;

/* What lines are read for. KEEPING holds the flat programs of all; UNROLLING as well, and waits for small sends too. */
enum { REPLAYING, CHECKING, KEEPING, UNROLLING };

typedef struct { i64 *items, number, room; } Numbers;

/* A receive whose sender or tag is not known yet (below 0), by the number of its message. */
typedef struct { i64 message, source, target, tag; } Wild;

struct Lowering {
    int mode;
    i64 at;                /* the number of the present action */
    Agreed *agreed;
    i64 agreements, agreement_room;
    i64 gathering;         /* the place behind the TAKES of the present waits (0: there is none) */
    int differ, exceeded;  /* ranks do not agree in a collective; bytes beyond the limit */
    i64 unequal, left;     /* left: non-blocking collectives that no action waits for */
    Numbers unfinished;    /* rows: rank, action, what waits for the request (DONE: a non-blocking collective) */
    Numbers tags;          /* by message, where UNROLLING */
    Numbers needed, group_ends, request_ends, request_message; /* waits for some of several requests, as in Programs */
    Wild *wild;
    i64 wilds, wild_room;
    u64 *groups;      /* hashes of different communicators */
    i64 communicators, group_room;
    i64 *named, communicator_lines; /* by rank: the last such line that names it */
    Channel *channels;
    int channel_count, channel_room, spare_channel;
    int *table;
    i64 slots, filled;
    int *pair_table;
    i64 pair_slots;
    Reading *ranks;
    Node *nodes;
    i64 node_count, node_room;
    int spare_node;
    i64 *requests;
    i64 requested, request_room;
    int *group;
    i64 *sizes;
    i64 size_room;
};

enum { BEGUN_BY = -333 }; /* in a channel's place of a target: requests of a rank's non-blocking collectives */
enum { DONE = -1 };
enum { ANY_SOURCE = -333, ANY_TAG = -444 };

static inline u64 spread(u64 x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

/* Channels and messages (lowering.c). */
u64 place_of(i64 source, i64 target, i64 tag);
int rehash(State *s, Lowering *l);
int channel_of(State *s, Lowering *l, i64 source, i64 target, i64 tag);
void emit(State *s, i64 rank, i64 what, int code);
void emit_value(State *s, i64 rank, double value, int code);

void append(State *s, Numbers *numbers, i64 value);

/* A side of a message; the request: what waits for it. */
enum { IMMEDIATE = 1, SYNCHRONOUS = 2 }; /* how a send is posted: it is not waited for at once; it needs its receiver */
i64 post_send(State *s, Lowering *l, i64 rank, int channel, i64 size, int how);
i64 post_receive(State *s, Lowering *l, i64 rank, int channel);
i64 post_wild(State *s, Lowering *l, i64 rank, i64 source, i64 tag);

/* Waits (requests.c). */
void wait_for(State *s, i64 rank, i64 request);
void gather_begin(State *s, i64 rank);
void gather_end(State *s, i64 rank);
void keep_open(State *s, Lowering *l, i64 rank, int channel, i64 request);
void keep_begun(State *s, Lowering *l, i64 rank, i64 kind, double flops);
void wait_one(State *s, Lowering *l, i64 rank, int channel, i64 older);
void wait_for_all(State *s, Lowering *l, i64 rank);
void wait_any(State *s, Lowering *l, i64 rank);
void note_unfinished(State *s, Lowering *l, i64 rank);

/* A rank as a member of a communicator; `group` NULL: of all ranks. One with a tag below 0 only posts, and what it would
 * wait for or compute is noted. */
typedef struct {
    State *s;
    Lowering *l;
    i64 rank, number, size;
    const int *group;
    i64 tag;
    double flops;
} Member;

/* Collective operations as messages (collectives.c). `sizes` NULL: `size` for everybody. */
enum { BEGUN = -1009, BARRIER, BCAST, REDUCE, GATHER, SCATTER, ALL, SCAN, EXCHANGE };
void flops_of(Member *me, double flops);
void barrier(Member *me);
void barrier_at_once(Member *me);
void reduce(Member *me, i64 size, i64 root);
void allreduce(Member *me, i64 size, i64 element);
void allreduce_by_root(Member *me, i64 size);
void allgather(Member *me, i64 size);
void bcast(Member *me, i64 size, i64 root);
void to_root(Member *me, i64 size, i64 root, i64 tag);
void from_root(Member *me, const i64 *sizes, i64 size, i64 root);
void all_pairs(Member *me, const i64 *sizes, i64 size);
void pairs_in_turn(Member *me, i64 size);
void alltoall(Member *me, i64 size);
void scan(Member *me, i64 size, double flops);
void reducescatter(Member *me, const i64 *sizes, double flops, i64 element);
void exchange(Member *me, i64 size, i64 target, i64 source);
void send_out(Member *me, i64 target, i64 tag, i64 size);
i64 receive_from(Member *me, i64 source, i64 tag);
void take_in(Member *me, i64 source, i64 tag);
void swap(Member *me, i64 target, i64 source, i64 tag, i64 size);

/* By the algorithms that a platform names (algorithms.c); numbers are those of traces/platform/parts.py, 0: SMPI's. */
enum { DOUBLED_BARRIER = 1, BRUCK_BARRIER, TREE_BARRIER };
enum { FLAT_BCAST = 1, BINOMIAL_REDUCE = 1, RING_ALLREDUCE = 1, DOUBLED_ALLREDUCE, REDUCE_BCAST, RING_ALLGATHER = 1 };
enum { RING_REDUCE_SCATTER = 1, RING_ALLTOALL = 1, BRUCK_ALLTOALL, LINEAR_ALLTOALL };
void barrier_named(Member *me);
void reduce_binomial(Member *me, i64 size, i64 root);
void allreduce_ring(Member *me, i64 size, i64 element);
void allreduce_doubling(Member *me, i64 size);
void pairs_by_distance(Member *me, i64 size);
void reducescatter_ring(Member *me, const i64 *sizes);

/* An action of a trace: its words. */
enum { MOST_WORDS = 8 };
typedef struct {
    State *s;
    Lowering *l;
    i64 rank;
    Word words[MOST_WORDS];
    int number;
    Word rest;             /* all words after the action */
    const int *group;
    i64 group_size, own;   /* of the communicator of the line */
    i64 older;             /* how many older requests a wait passes over */
    i64 root, size;        /* what the ranks of a collective agree in; NONE: there is nothing such */
} Act;

/* Words of an action (words.c): PLAIN, or UNUSUAL where they are not what is asked for. */
int count_at(const Act *a, int at, i64 *value);
int flops_at(const Act *a, int at, double *value);
int element_at(const Act *a, int at, i64 *value);
int size_at(const Act *a, int count, int code, i64 *value);
int rank_at(const Act *a, int at, i64 ranks, i64 *value);
int root_at(Act *a, int at, i64 *value);
int alike_at(Act *a, int code, i64 *value);
int counts(Act *a, int first, i64 *into);
void words_after(Act *a);
void bytes_of(Act *a, i64 element);
u64 hash_of(const Act *a);
int annotation(Act *a, Word comment);

/* A line without its end (replay.c). */
int read_line(State *s, const char *at, const char *end);

/* What the action becomes (actions.c). */
void compute_act(State *s, i64 rank, double flops);
int act(Act *a, const char *name, i64 length);

#endif

/* What folding a trace keeps: symbols, the forms of lines they are of, and by rank what has been folded so far. */

#ifndef APET_FOLDING_H
#define APET_FOLDING_H

#include <setjmp.h>

#include "lines.h"

enum { MOST_NUMBERS = 8, MOST_NAMES = 64, CONTEXTS = 2, DIRECT = 8, MOST_TRIES = 64, FEWER_TRIES = 16, CHUNK = 4096, MOST_BODIES = 64 };
static const i64 CONTEXT[CONTEXTS] = {8, 64};
static const u64 FACTOR = 0x9E3779B97F4A7C15u;
enum { UNUSED = -2 };

typedef struct { double value; i64 count; } Run; /* value: flops; -1 - k: the volumes of gap k; 0: nothing */
typedef struct { i64 number, room; Run *runs; Run one; } Runs; /* one: the only run, while runs is NULL */

/* A step with the volumes before it, or a loop (body is not NULL); counts: its iterations by execution, once there are
 * several and counts are put aside. */
typedef struct Node Node;
struct Node {
    Node **body;
    i64 line;
    union {
        struct { i64 symbol; Runs volumes; Runs *parts; i64 part_count, part_room; } step;
        struct { i64 times, width, numbers; u64 digest; i64 *steps; int pending; Runs counts; } loop;
    } u;
};

/* From numbers that stretches have in common to where the last one ends. */
typedef struct { u64 *keys; int32_t *at; i64 room, used; } Heads;

typedef struct { u64 digest; i64 width; } Body;

/* A sequence whose end is folded as it grows. */
typedef struct {
    Node **items;
    u64 *prefix;
    int32_t *earlier[CONTEXTS], *due, *due_before;
    Heads heads[CONTEXTS];
    i64 length, room, due_room;
    i64 around;        /* iterations of the loops around it all */
    int numbers_count; /* numbers in steps may advance: forms are compared, not symbols */
    Body bodies[MOST_BODIES]; /* of loops so far, where counts are put aside */
    i64 body_count;
} Tail;

typedef struct { i64 text, length, numbers; char wraps[MOST_NUMBERS]; i64 greatest[MOST_NUMBERS]; } Form; /* of its numbers */
typedef struct { i64 form, first; } Symbol;
typedef struct { i64 first, count; } Gap; /* volumes between two steps, where they are not one above 0 */
typedef struct { char name[LONGEST_NAME], kinds[MOST_NUMBERS]; i64 length, number, last; } Name; /* last: words that are no counts */
typedef struct { Tail tail; double *gap; i64 gap_count, gap_room; i64 limit; int element; } Rank; /* gap: computed since the last step */
typedef struct { i64 *at; i64 room; } Index;

struct Folding {
    Rank **ranks; /* NULL: none of its lines was read */
    i64 rank_count, rank_room;
    Name names[MOST_NAMES];
    i64 name_count;
    Form *forms;
    i64 form_count, form_room;
    Symbol *symbols;
    i64 symbol_count, symbol_room;
    i64 *numbers, number_count, number_room;
    Gap *gaps;
    i64 gap_count, gap_room;
    double *volumes;
    i64 volume_count, volume_room;
    char *text;
    i64 text_length, text_room;
    Index form_index, symbol_index, gap_index;
    u64 *powers;
    i64 power_count, power_room;
    Node *spare, **chunks;
    i64 chunk_count, chunk_room;
    i64 *steps[2], steps_room[2]; /* differences between numbers */
    char *line_text;
    i64 line_room;
    i64 line, actions;
    i64 modulus;                 /* the number of ranks, once it is known */
    i64 longest;                 /* a sequence that is folded by forms before all of it is there */
    int aside;                   /* how often loops iterate is put aside: those of equal bodies are alike */
    jmp_buf failed;
};

/* Room for at least this many elements; doubles. */
void *grown(Folding *s, void *old, i64 *room, i64 needed, size_t each);

static inline u64 mixed(u64 value) {
    value += FACTOR;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

/* Nodes and their volumes (volumes.c). */
Node *new_node(Folding *s);
void drop(Folding *s, Node *node);
const Run *runs_of(const Runs *volumes);
void add_run(Folding *s, Runs *into, Run run);

/* Take over the volumes of a node of equal form that comes later, in loops of so many iterations around both. */
void absorb(Folding *s, Node *mine, Node *theirs, i64 around);

/* Bring what was taken over into the order of execution: all parts once in each iteration around. */
void interleave(Folding *s, Node *node, i64 around);

/* Whether nodes are alike but for what is put aside; `steps[into]` gets by how much numbers differ, `number` more. */
int changes(Folding *s, const Tail *t, Node **first, Node **second, i64 width, int into, i64 *number);

/* What hardly folds as a loop of blocks, each executed as often as it is there (choices.c). */
void choose(Folding *s, Node ***nodes, i64 *count);

/* Sequences (sequences.c): what a step is compared by, stretches and nodes in short, both ends of a sequence. */
i64 form_of(const Folding *s, const Tail *t, const Node *step);
u64 key_of(const Folding *s, const Tail *t, const Node *node);
u64 digest(const Folding *s, const Tail *t, i64 first, i64 last);
void place(Folding *s, Tail *t, Node *node);
void take_off(Folding *s, Tail *t);
void free_tail(Tail *t);

/* Loops at their ends (loops.c). */
void push(Folding *s, Tail *t, Node *node);
void settle_loops(Folding *s, Tail *t, const Node *following);
void refold(Folding *s, Node ***nodes, i64 *count, i64 around);
void compact(Folding *s, Tail *t);

/* Lines (symbols.c). */
double gap_value(Folding *s, Rank *rank);
int fold_line(Folding *s, const char *at, const char *end);

#endif

/* What folding a trace keeps: symbols, the forms of lines they are of, and by rank what has been folded so far. */

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

enum { MOST_NUMBERS = 8, LONGEST_NAME = 16, MOST_NAMES = 64, CONTEXTS = 2, DIRECT = 8, MOST_TRIES = 64, FEWER_TRIES = 16, CHUNK = 4096 };
static const i64 CONTEXT[CONTEXTS] = {8, 64};
static const u64 FACTOR = 0x9E3779B97F4A7C15u;
enum { EMPTY = -2, NONE = -1 };

typedef struct { double value; i64 count; } Run; /* value: flops; -1 - k: the volumes of gap k; 0: nothing */
typedef struct { i64 number, room; Run *runs; Run one; } Runs; /* one: the only run, while runs is NULL */

/* A step with the volumes before it, or a loop (body is not NULL). */
typedef struct Node Node;
struct Node {
    Node **body;
    i64 line;
    union {
        struct { i64 symbol; Runs volumes; Runs *parts; i64 part_count, part_room; } step;
        struct { i64 times, width, numbers; u64 digest; i64 *steps; int pending; } loop;
    } u;
};

/* From numbers that stretches have in common to where the last one ends. */
typedef struct { u64 *keys; int32_t *at; i64 room, used; } Heads;

/* A sequence whose end is folded as it grows. */
typedef struct {
    Node **items;
    u64 *prefix;
    int32_t *earlier[CONTEXTS], *due, *due_before;
    Heads heads[CONTEXTS];
    i64 length, room, due_room;
    i64 around;        /* iterations of the loops around it all */
    int numbers_count; /* numbers in steps may advance: forms are compared, not symbols */
} Tail;

typedef struct { i64 text, length, numbers; char wraps[MOST_NUMBERS]; } Form;
typedef struct { i64 form, first; } Symbol;
typedef struct { i64 first, count; } Gap; /* volumes between two steps, where they are not one above 0 */
typedef struct { char name[LONGEST_NAME], kinds[MOST_NUMBERS]; i64 length, number; } Name;
typedef struct { Tail tail; double *gap; i64 gap_count, gap_room; i64 limit; int element, seen; } Rank; /* gap: computed since the last step */
typedef struct { i64 *at; i64 room; } Index;

typedef struct {
    Rank **ranks;
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
    i64 *found[2], found_room[2]; /* differences between numbers */
    char *line_text;
    i64 line_room;
    i64 line, actions, greatest; /* greatest: partner named */
    i64 modulus;                 /* the number of ranks, once it is known */
    i64 longest;                 /* a sequence that is folded by forms before all of it is there */
    jmp_buf failed;
} State;

/* Room for at least this many elements; doubles. */
static void *grown(State *s, void *old, i64 *room, i64 needed, size_t each) {
    if (needed <= *room) return old;
    i64 more = *room ? *room : 16;
    while (more < needed) more *= 2;
    void *found = realloc(old, (size_t)more * each);
    if (!found) longjmp(s->failed, 1);
    *room = more;
    return found;
}

static u64 mixed(u64 value) {
    value += FACTOR;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

static Node *new_node(State *s) {
    if (!s->spare) {
        s->chunks = grown(s, s->chunks, &s->chunk_room, s->chunk_count + 1, sizeof(*s->chunks));
        Node *chunk = calloc(CHUNK, sizeof(Node));
        if (!chunk) longjmp(s->failed, 1);
        s->chunks[s->chunk_count++] = chunk;
        for (i64 k = 0; k < CHUNK; k++) {
            chunk[k].body = (Node **)s->spare;
            s->spare = &chunk[k];
        }
    }
    Node *node = s->spare;
    s->spare = (Node *)node->body;
    memset(node, 0, sizeof(*node));
    return node;
}

/* Give back a node and all in it. */
static void drop(State *s, Node *node) {
    if (node->body) {
        for (i64 k = 0; k < node->u.loop.width; k++) drop(s, node->body[k]);
        free(node->body);
        free(node->u.loop.steps);
    } else {
        for (i64 k = 0; k < node->u.step.part_count; k++) free(node->u.step.parts[k].runs);
        free(node->u.step.parts);
        free(node->u.step.volumes.runs);
    }
    node->body = (Node **)s->spare;
    s->spare = node;
}

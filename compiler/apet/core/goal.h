/* GOAL: operations of a rank with dependencies. */

#ifndef APET_GOAL_H
#define APET_GOAL_H

#include "lines.h"

enum { RECV, SENDS, CALC };
enum { NO_MEMORY = -1, NO_FIT = -2, CIRCLE = -3, NO_PARTNER = -4 };

/* `first` and `last` are the open ones of its kind, partner and tag, of the first such operation; `next` leads on. */
typedef struct { i64 size, partner, tag; Word label; int kind, left, first, last, next, open; } Operation;

/* `to` comes after `from` has ended, or has begun. */
typedef struct { int from, to, ends; } Need;

struct Goal {
    Operation *operations;
    Need *needs;
    i64 count, room, needed, need_room;
    int *table;                  /* by label, or by kind, partner and tag: an operation */
    i64 slots;
    int *behind, *behind_first;  /* by operation the needs that lead from it ... */
    int *before, *before_first;  /* ... and what has to have ended before it */
    i64 *heap, heaped;
    char *text;
    i64 rank, ranks, length, text_room, actions;
    int failed;
};

static inline u64 mixed_with(u64 key, u64 value) {
    key = (key ^ value) * 0x9e3779b97f4a7c15u;
    return key ^ (key >> 29);
}

/* An empty table of so many slots; 0 if memory ran out (goal.c). */
int clear_table(Goal *g, i64 slots);

#endif

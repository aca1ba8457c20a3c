/* What all units of the core share: numbers, operations of ranks, room for more. */

#ifndef APET_CORE_H
#define APET_CORE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* What an operation is: its argument << SHIFT | one of these. */
enum { COMPUTE, SLEEP, SEND, RECEIVE, SENT, RECEIVED, ANY, ENTER, LEAVE, TAKE, TAKES, TAKEN };
enum { SHIFT = 4, MASK = 15 };

/* What a rank does. */
enum { READY, COMPUTING, SLEEPING, WAITING, CHOOSING };

enum { NONE = -1 };

typedef struct State State;     /* of a replay */
typedef struct Curve Curve;     /* the longest path as a function */
typedef struct Folding Folding; /* of a trace that is being folded */
typedef struct Goal Goal;       /* operations of a rank */

#define SHARED(name, ...) typedef struct { __VA_ARGS__ } name;
#define FUNCTION(result, name, ...) EXPORT result name(__VA_ARGS__);
#define CONSTANT(name)
#include "boundary.h"
#undef SHARED
#undef FUNCTION
#undef CONSTANT

/* Makes room for one more than `number` items; 0 if memory ran out. */
static inline int grow(void **items, i64 number, i64 *room, size_t size) {
    if (number < *room) return 1;
    i64 wanted = *room ? 2 * *room : 64;
    void *larger = realloc(*items, (size_t)wanted * size);
    if (!larger) return 0;
    *items = larger;
    *room = wanted;
    return 1;
}

/* No number of a trace is greater, and no number of bytes that an action has; as in actions.py. */
static const i64 MOST_BYTES = 1000000000000000000;

/* The product of a number of either sign and one of 0 or more, the sum of two of 0 or more; 0 and `*exceeded` where they
 * are beyond the limit. */
static inline i64 product(int *exceeded, i64 a, i64 b) {
    if (!b || (a <= MOST_BYTES / b && a >= -(MOST_BYTES / b))) return a * b;
    *exceeded = 1;
    return 0;
}

static inline i64 total(int *exceeded, i64 a, i64 b) {
    if (a <= MOST_BYTES - b) return a + b;
    *exceeded = 1;
    return 0;
}

/* Room of at least one item, all zero; NULL and `*failed` where memory ran out. */
static inline void *zeroed(int *failed, i64 number, size_t size) {
    void *items = calloc((size_t)(number > 0 ? number : 1), size);
    if (!items) *failed = 1;
    return items;
}

#endif

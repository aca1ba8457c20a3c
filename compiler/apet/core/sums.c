/* The greatest or least of sparse sums of columns, one value per configuration.

   Rows are summed one operand after the other and the constant last, as the array version does, without fused
   operations: the bits are the same on every machine, for every width of vectors, and however the configurations are
   cut. Columns are packed, PACK configurations at a time: those of one operand lie behind those of the one before, so
   that a row reads few pages. */

#include "core.h"

enum { PACK = 128, SUMS = 8 };

typedef struct {
    i64 rows;
    const i64 *starts, *columns;
    const double *factors, *constants;
    i64 want_least;
} Matrix;

#define JOINED(name, lanes) name##_of_##lanes
#define WITH_LANES(name, lanes) JOINED(name, lanes)
#define NAME(name) WITH_LANES(name, LANES)

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DISPATCHED /* other compilers' libraries may not tell what a processor has */
#define LANES 8
#define TARGET __attribute__((target("avx512f")))
#include "sums.h"
#undef LANES
#undef TARGET
#define LANES 4
#define TARGET __attribute__((target("avx2")))
#include "sums.h"
#undef LANES
#undef TARGET
#endif

#define LANES 2
#define TARGET
#include "sums.h"

typedef struct {
    i64 (*packed)(const double *, double, double, double *);
    void (*extreme)(const Matrix *, const double *, double *);
} Vectors;

/* The widest vectors that the processor has, up to a number of lanes. */
static Vectors vectors_of(i64 lanes) {
#ifdef DISPATCHED
    if (lanes >= 8 && __builtin_cpu_supports("avx512f")) return (Vectors){packed_of_8, extreme_of_8};
    if (lanes >= 4 && __builtin_cpu_supports("avx2")) return (Vectors){packed_of_4, extreme_of_4};
#endif
    (void)lanes;
    return (Vectors){packed_of_2, extreme_of_2};
}

/* 0 if some operand lies outside [least, most], or memory ran out: then nothing is said. */
i64 apet_extreme(i64 rows, const i64 *starts, const i64 *columns, const double *factors, const double *constants,
                 i64 operands, const double *const *values, i64 count, i64 want_least, double least, double most,
                 i64 lanes, double *result) {
    enum { LINE_BYTES = 64 };
    const Matrix matrix = {rows, starts, columns, factors, constants, want_least};
    const Vectors vectors = vectors_of(lanes);
    char *memory = malloc((size_t)(operands + 1) * PACK * 8 + LINE_BYTES);
    if (!memory) return 0;
    double *best = (double *)(memory + (LINE_BYTES - (uintptr_t)memory % LINE_BYTES) % LINE_BYTES), *room = best + PACK;

    i64 trustworthy = 1;
    for (i64 at = 0; at < count && trustworthy; at += PACK) {
        const i64 n = count - at < PACK ? count - at : PACK;
        for (i64 k = 0; k < operands; k++) {
            const double *x = values[k] + at;
            double padded[PACK];
            if (n < PACK) { /* the last numbers are repeated */
                for (i64 i = 0; i < PACK; i++) padded[i] = x[i < n ? i : n - 1];
                x = padded;
            }
            trustworthy &= vectors.packed(x, least, most, room + k * PACK);
        }
        if (trustworthy) vectors.extreme(&matrix, room, best);
        memcpy(result + at, best, (size_t)n * 8);
    }
    free(memory);
    return trustworthy;
}

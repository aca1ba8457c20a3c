/* The greatest or least of sparse sums of columns, one value per configuration.

   Rows are summed one operand after the other and the constant last, as the array version does, without fused
   operations: the bits are the same on every machine and however the configurations are cut. */

#include "core.h"

#define WIDTH 256
#define TILE 32

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

/* Whether all numbers are from least to most: the bits of positive floats are in their order. */
static inline int inside(const double *x, i64 n, i64 least, i64 most) {
    i64 low = INT64_MAX, high = INT64_MIN;
    for (i64 i = 0; i < n; i++) {
        i64 bits;
        memcpy(&bits, x + i, 8);
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
    }
    return n == 0 || (low >= least && high <= most);
}

/* The sums of all rows for n neighbouring configurations, n at most TILE; the greatest or least into best. */
#define TILE_OF(n)                                                                                                     \
    for (i64 row = 0; row < rows; row++) {                                                                         \
        double sum[TILE];                                                                                              \
        for (i64 i = 0; i < (n); i++) sum[i] = 0.0;                                                                \
        for (i64 j = starts[row]; j < starts[row + 1]; j++) {                                                      \
            const double factor = factors[j], *x = values[columns[j]] + begin;                                         \
            for (i64 i = 0; i < (n); i++) sum[i] += factor * x[i];                                                 \
        }                                                                                                              \
        if (constants)                                                                                                 \
            for (i64 i = 0; i < (n); i++) sum[i] += constants[row];                                                \
        if (row == 0)                                                                                                  \
            for (i64 i = 0; i < (n); i++) best[i] = sum[i];                                                        \
        else if (want_least)                                                                                           \
            for (i64 i = 0; i < (n); i++) best[i] = sum[i] < best[i] ? sum[i] : best[i];                           \
        else                                                                                                           \
            for (i64 i = 0; i < (n); i++) best[i] = sum[i] > best[i] ? sum[i] : best[i];                           \
    }

/* 0 if some operand lies outside [least, most] (given as bits): then nothing is said. */
CLONES i64 apet_extreme(i64 rows, const i64 *starts, const i64 *columns, const double *factors,
                        const double *constants, i64 operands, const double *const *values, i64 count,
                        i64 want_least, i64 least, i64 most, double *result) {
    for (i64 at = 0; at < count; at += WIDTH) { /* so many operands fit into the second cache */
        i64 n = count - at < WIDTH ? count - at : WIDTH, begin = at;
        for (i64 k = 0; k < operands; k++)
            if (!inside(values[k] + at, n, least, most)) return 0;
        for (; begin + TILE <= at + n; begin += TILE) { /* and these into the first, a tile of sums into registers */
            double best[TILE];
            TILE_OF(TILE)
            memcpy(result + begin, best, sizeof best);
        }
        if (begin < at + n) {
            double best[TILE];
            TILE_OF(at + n - begin)
            memcpy(result + begin, best, (size_t)(at + n - begin) * 8);
        }
    }
    return 1;
}

/* The least weighted mean square of relative errors of Downey's model, for one A after the other.

   The same search as in downey.py: over ln A in even steps and where points change their branch, then ever finer
   around the least minima. For a given A, and for each number of points on the first branch, the rest is in closed
   form. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define STARTS 3
#define LEVEL 1e-7

typedef struct {
    int64_t count;
    const double *n, *over, *inverse, *w;
    int64_t splits;
    const int64_t *split;
    double one_low, one_high, most_share;
} Data;

typedef struct {
    double a, sigma, one, error;
} Fit;

/* q/p of the p u + q v that is nearest to 1; 0 where v does not count. */
static double ratio(double su, double sv, double uu, double uv, double vv) {
    double p = su * vv - sv * uv, q = sv * uu - su * uv;
    return p > 0 ? q / p : q > 0 ? INFINITY : 0.0;
}

static double clipped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* Keeps what the sums of w f and w f f over the points give, if it is better. */
static void keep(const Data *d, double first, double second, double sigma, Fit *best) {
    double one = clipped(first / second, d->one_low, d->one_high);
    double error = one * one * second - 2.0 * one * first + 1.0;
    if (error < 0.0) error = 0.0;
    if (error < best->error) best->error = error, best->sigma = sigma, best->one = one;
}

static void low(const Data *d, Fit *best) {
    double a = best->a, half = 0.5 / a, su = 0, sv = 0, uu = 0, uv = 0, vv = 0;
    for (int64_t i = 0; i < d->count; i++) {
        int inside = d->n[i] <= a, flat = d->n[i] > 2.0 * a - 1.0;
        double u = (inside ? d->over[i] : 1.0 / a) * d->inverse[i];
        double v = inside ? half * (1.0 - d->over[i]) : flat ? 0.0 : (1.0 - half) * d->over[i] - half;
        v *= d->inverse[i];
        su += d->w[i] * u, sv += d->w[i] * v;
        uu += d->w[i] * u * u, uv += d->w[i] * u * v, vv += d->w[i] * v * v;
    }
    double s = clipped(ratio(su, sv, uu, uv, vv), 0.0, 1.0);
    keep(d, su + s * sv, uu + 2.0 * s * uv + s * s * vv, s, best);
}

static void share_of(const Data *d, double share, Fit *best) {
    double rho = share / best->a, first = 0, second = 0, flat = 1.0 / best->a;
    for (int64_t i = 0; i < d->count; i++) {
        double f = (1.0 - rho) * d->over[i] + rho;
        f = (f > flat ? f : flat) * d->inverse[i];
        first += d->w[i] * f, second += d->w[i] * f * f;
    }
    keep(d, first, second, share / (1.0 - share), best);
}

static void high(const Data *d, Fit *best) {
    double a = best->a, su = 0, sv = 0, uu = 0, uv = 0, vv = 0;
    for (int64_t i = 0; i < d->count; i++) {
        double u = d->inverse[i] / a;
        su += d->w[i] * u, uu += d->w[i] * u * u;
    }
    for (int64_t k = 0, i = 0; k < d->splits; k++) {
        for (; i < d->split[k]; i++) {
            double flat = d->inverse[i] / a, u = d->over[i] * d->inverse[i], v = (1.0 - d->over[i]) * d->inverse[i];
            su += d->w[i] * (u - flat), uu += d->w[i] * (u * u - flat * flat);
            sv += d->w[i] * v, uv += d->w[i] * u * v, vv += d->w[i] * v * v;
        }
        share_of(d, clipped(ratio(su, sv, uu, uv, vv) * a, 0.5, d->most_share), best);
    }
    share_of(d, 0.5, best);
    share_of(d, d->most_share, best);
}

static Fit at(const Data *d, double a) {
    Fit best = {a, 0.0, 0.0, INFINITY};
    low(d, &best);
    high(d, &best);
    return best;
}

/* Around the middle of three neighbours, in rounds of finer steps. */
static Fit refined(const Data *d, double lower, double upper, int64_t rounds, int64_t fine) {
    Fit best = {0.0, 0.0, 0.0, INFINITY};
    for (int64_t r = 0; r < rounds; r++) {
        double step = (upper - lower) / (double)(fine - 1);
        int64_t k = 0;
        double least = INFINITY;
        for (int64_t j = 0; j < fine; j++) {
            Fit f = at(d, exp(lower + step * (double)j));
            if (f.error < least) least = f.error, k = j;
            if (f.error < best.error) best = f;
        }
        double from = lower;
        lower = from + step * (double)(k > 0 ? k - 1 : 0);
        upper = from + step * (double)(k < fine - 1 ? k + 1 : fine - 1);
    }
    return best;
}

/* Up to STARTS minima over the grid x of ln A, best first; how many is returned, 0 where memory is short. */
int64_t apet_downey(int64_t count, const double *n, const double *over, const double *inverse, const double *w,
                    int64_t splits, const int64_t *split, double one_low, double one_high, double most_share,
                    int64_t points, const double *x, int64_t rounds, int64_t fine, double *result) {
    Data d = {count, n, over, inverse, w, splits, split, one_low, one_high, most_share};
    double *error = malloc((size_t)points * sizeof *error);
    int64_t found = 0, start[STARTS];
    if (!error) return 0;
    for (int64_t i = 0; i < points; i++) error[i] = at(&d, exp(x[i])).error;
    for (int64_t i = 0; i < points; i++) {
        if (i > 0 && !(error[i] < error[i - 1] * (1 - LEVEL))) continue;
        if (i + 1 < points && !(error[i] <= error[i + 1] * (1 + LEVEL))) continue;
        int64_t place = found < STARTS ? found++ : STARTS;
        for (; place > 0 && error[i] < error[start[place - 1]]; place--)
            if (place < STARTS) start[place] = start[place - 1];
        if (place < STARTS) start[place] = i;
    }
    free(error);
    Fit fits[STARTS];
    for (int64_t k = 0; k < found; k++) {
        int64_t i = start[k];
        fits[k] = refined(&d, x[i > 0 ? i - 1 : 0], x[i + 1 < points ? i + 1 : points - 1], rounds, fine);
    }
    for (int64_t k = 1; k < found; k++)
        for (int64_t j = k; j > 0 && fits[j].error < fits[j - 1].error; j--) {
            Fit swap = fits[j];
            fits[j] = fits[j - 1], fits[j - 1] = swap;
        }
    for (int64_t k = 0; k < found; k++) {
        result[4 * k] = fits[k].a, result[4 * k + 1] = fits[k].sigma;
        result[4 * k + 2] = fits[k].one, result[4 * k + 3] = fits[k].error;
    }
    return found;
}

/* The last of the A = exp(x) whose error is at most the bound, as a fit; 0 where there is none. */
int64_t apet_downey_last(int64_t count, const double *n, const double *over, const double *inverse, const double *w,
                         int64_t splits, const int64_t *split, double one_low, double one_high, double most_share,
                         int64_t points, const double *x, double bound, double *result) {
    Data d = {count, n, over, inverse, w, splits, split, one_low, one_high, most_share};
    for (int64_t i = points - 1; i >= 0; i--) {
        Fit f = at(&d, exp(x[i]));
        if (f.error <= bound) {
            result[0] = f.a, result[1] = f.sigma, result[2] = f.one, result[3] = f.error;
            return 1;
        }
    }
    return 0;
}

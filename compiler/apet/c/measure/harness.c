/* Times cases: "name seconds..." of one round each, several samples. Usage: harness WARM_MS SAMPLE_MS SAMPLES L1 L2 L3 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef signed char byte;
typedef signed char boolean;
typedef unsigned short ushort16;
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))

static volatile int SEED = 5;
static int X, Y, SMALL;
static volatile double sink;

static double signum(double v) { return (v > 0) - (v < 0); }
static double toRadians(double v) { return v / 180 * 3.141592653589793; }
static double toDegrees(double v) { return v * 180 / 3.141592653589793; }
static double ulp(double v) { return nextafter(fabs(v), 1e308) - fabs(v); }
static int floorDiv(int a, int b) { int q = a / b; return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q; }
static int floorMod(int a, int b) { int r = a % b; return (r != 0 && (r < 0) != (b < 0)) ? r + b : r; }

typedef double (*Case)(int rounds);
static struct { const char *name; Case run; } cases[1000];
static int registered;
static void add(const char *name, Case run) { cases[registered].name = name; cases[registered++].run = run; }

/* OPERATIONS */

static int ROWS[512];
static void *OBJECTS[512];

static double load_reference(int n) {
    long s = 0;
    for (int i = 0; i < n; i += 32)
        for (int j = 0; j < 512; j += 8) {
            s ^= (long) OBJECTS[j] ^ (long) OBJECTS[j + 1]; s ^= (long) OBJECTS[j + 2] ^ (long) OBJECTS[j + 3];
            s ^= (long) OBJECTS[j + 4] ^ (long) OBJECTS[j + 5]; s ^= (long) OBJECTS[j + 6] ^ (long) OBJECTS[j + 7];
        }
    return s;
}

static double store_reference(int n) {
    void *o = ROWS + (n & 7);
    for (int i = 0; i < n; i += 512) {
        for (int j = 0; j < 512; j++) OBJECTS[j] = o;
        __asm__ volatile("" ::: "memory");
    }
    return OBJECTS[9] != 0;
}

static double branch(int n) {
    int a = X, b = a + 1, c = a + 3, d = a + 5, e = a + 7, f = a + 9, g = a + 11, h = a + 13, s = 0;
    for (int i = 0; i < n; i++) {
        if (i == a) s ^= 1;
        __asm__ volatile("");
        if (i == b) s ^= 2;
        __asm__ volatile("");
        if (i == c) s ^= 3;
        __asm__ volatile("");
        if (i == d) s ^= 4;
        __asm__ volatile("");
        if (i == e) s ^= 5;
        __asm__ volatile("");
        if (i == f) s ^= 6;
        __asm__ volatile("");
        if (i == g) s ^= 7;
        __asm__ volatile("");
        if (i == h) s ^= 8;
        if (i > 1000000000) { a = s; b = s ^ 1; c = s + 2; d = s ^ 7; e = s + 9; f = s ^ 11; g = s + 12; h = s ^ 13; }
    }
    return s;
}

static double compare_double(int n) {
    double v = X * 1e12, w = v + 1, t = 0; int s = 0;
    for (int i = 0; i < n; i++) {
        if (t > v) s += 1; if (t + 1 > v) s += 2; if (t > w) s += 3; if (t + 2 > w) s += 4;
        t += 1;
    }
    return s + t;
}

static double compare_float(int n) {
    float v = X * 1e12f, w = v * 2, t = 0; int s = 0;
    for (int i = 0; i < n; i++) {
        if (t > v) s += 1; if (t + 1 > v) s += 2; if (t > w) s += 3; if (t + 2 > w) s += 4;
        t += 1;
    }
    return s + t;
}

static double empty(int n) { for (int i = 0; i < n; i++) { } return 0; }

static double element(int n) {
    int *a = A_int, v0 = 0, v1 = 0, v2 = 0, v3 = 0;
    for (int i = 0; i < n; i++) { int j = i & 511; v0 = a[j]; v1 = a[j]; v2 = a[j]; v3 = a[j]; }
    return v0 + v1 + v2 + v3;
}

static double one_element(int n) {
    int *a = A_int, v0 = 0;
    for (int i = 0; i < n; i++) { int j = i & 511; v0 = a[j]; }
    return v0;
}

static double put_element(int n) {
    int *a = A_int, v = X;
    for (int i = 0; i < n; i++) { int j = i & 511; a[j] = v; a[j] = v; a[j] = v; a[j] = v; }
    return a[3];
}

static double put_one(int n) {
    int *a = A_int, v = X;
    for (int i = 0; i < n; i++) { int j = i & 511; a[j] = v; }
    return a[3];
}

struct pair { int f0, f1; };
static struct pair FIELDS = {1, 2};
static double fields(int n) {
    struct pair *p = &FIELDS; int v0 = 0, v1 = 0;
    for (int i = 0; i < n; i++) { v0 = p->f0; v1 = p->f1; v0 = p->f1; v1 = p->f0; }
    return v0 + v1;
}

static __attribute__((noinline)) int same(int i) { return i; }
static double calls(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { s = same(i); s = same(i); s = same(i); s = same(i); }
    return s;
}

static double compares(int n) {
    int v = X, s = 0;
    for (int i = 0; i < n; i++) { if (i == v) s++; if (i == v) s++; if (i == v) s++; if (i == v) s++; }
    return s;
}
static double compares_double(int n) {
    double v = X * 1e9, d = 1; int s = 0;
    for (int i = 0; i < n; i++) { if (d > v) s++; if (d > v) s++; if (d > v) s++; if (d > v) s++; }
    return s;
}
static double compares_long(int n) {
    long v = X * 1000000000L, d = 1; int s = 0;
    for (int i = 0; i < n; i++) { if (d > v) s++; if (d > v) s++; if (d > v) s++; if (d > v) s++; }
    return s;
}

static double issue(int n) {
    int a = 3, b = 5, c = 7, d = 9, e = 11, x = X;
    double y = Y, z = 1 + SMALL * 1e-13;
    double p = 1, q = 2, r = 3, s = 4, t = 5, u = 6, v = 1, w = 2, k = 3, l = 4, m = 5, o = 6;
    for (int i = 0; i < n; i++) {
        a = (a + x) ^ i; p += y; v *= z; b = (b + x) ^ i; q += y; w *= z; c = (c + x) ^ i; r += y; k *= z;
        d = (d + x) ^ i; s += y; l *= z; e = (e + x) ^ i; t += y; m *= z; u += y; o *= z;
    }
    return a + b + c + d + e + p + q + r + s + t + u + v + w + k + l + m + o;
}

/* The memory */

static long BYTES[3] = {32768, 1 << 20, 1 << 25};
static double *a_, *b_, *c_, *x_;
static int *index_, held, touched, position;
enum { STRIDE = 24 };

static double triad(int rounds, int n) {
    if (held != n) {
        free(a_); free(b_); free(c_);
        held = n;
        a_ = malloc(8L * n); b_ = malloc(8L * n); c_ = malloc(8L * n);
        for (int i = 0; i < n; i++) a_[i] = b_[i] = c_[i] = i;
    }
    double *restrict p = a_, *q = b_, *r = c_, s = Y;
    for (int left = rounds; left > 0; left -= n) {
        int end = MIN(n, left);
        for (int i = 0; i < end; i++) p[i] = q[i] + s * r[i];
    }
    return p[n / 2];
}

static int start(int m) {
    if (touched != m) {
        touched = m;
        free(x_); free(index_);
        x_ = malloc(8L * m); index_ = malloc(4L * m);
        for (int i = 0; i < m; i++) x_[i] = index_[i] = i; /* every page is touched */
        unsigned long random = 17;
        for (int i = m - 1; i > 0; i--) { /* one cycle through all elements (Sattolo) */
            random = random * 6364136223846793005UL + 1442695040888963407UL;
            int j = (int) ((random >> 33) % (unsigned long) i), t = index_[i];
            index_[i] = index_[j];
            index_[j] = t;
        }
    }
    return position < m ? position : 0;
}

static double gather(int rounds, int m) {
    int i = start(m), *at = index_;
    double *values = x_, s = 0;
    for (int left = rounds; left > 0;) {
        int end = MIN(m, i + left);
        left -= end - i;
        for (; i < end; i++) s += values[at[i]];
        if (i == m) i = 0;
    }
    position = i;
    return s;
}

static double scattered(int rounds, int m) {
    int i = start(m), *at = index_;
    double *values = x_, y = Y;
    for (int left = rounds; left > 0;) {
        int end = MIN(m, i + left);
        left -= end - i;
        for (; i < end; i++) values[at[i]] = y;
        if (i == m) i = 0;
    }
    position = i;
    return values[0];
}

static double walk(int rounds, int m) {
    int i = start(m);
    double *values = x_, s = 0, t = 0, u = 0, v = 0;
    for (int left = rounds; left > 0;) {
        int count = MIN((m - i + STRIDE - 1) / STRIDE, left), end = MIN(m, i + STRIDE * count);
        left -= count;
        for (; i < end - 3 * STRIDE; i += 4 * STRIDE) {
            s += values[i]; t += values[i + STRIDE]; u += values[i + 2 * STRIDE]; v += values[i + 3 * STRIDE];
        }
        for (; i < end; i += STRIDE) s += values[i];
        if (i >= m) i = (i - m) & 7;
    }
    position = i;
    return s + t + u + v;
}

static double chase(int rounds, int m) {
    int k = start(m), *at = index_;
    for (int i = 0; i < rounds; i++) k = at[k];
    position = k;
    return k;
}

#define LEVEL(name, bytes) \
    static double triad_##name(int n) { return triad(n, (int) ((bytes) / 24)); } \
    static double gather_##name(int n) { return gather(n, (int) ((bytes) / 12)); } \
    static double scattered_##name(int n) { return scattered(n, (int) ((bytes) / 12)); } \
    static double walk_##name(int n) { return walk(n, (int) ((bytes) / 12)); } \
    static double chase_##name(int n) { return chase(n, (int) ((bytes) / 12)); }
LEVEL(L1, BYTES[0] / 2)
LEVEL(L2, BYTES[1] / 2)
LEVEL(L3, BYTES[2] / 3)
LEVEL(memory, MIN(4 * BYTES[2], 128L << 20))

/* Mispredictions, calls, the library */

enum { MANY = 1 << 18, HALF_LEARNT = 1 << 16 };
static int *random_, *sorted_;

static double branches(int n, int *data, int mask) {
    int s = 0, limit = 1 << 19; double y = Y, t = 0;
    for (int i = 0; i < n; i++) {
        if (data[i & mask] < limit) { s += 3; t += y; __asm__ volatile(""); } else { s ^= 5; t -= y; }
    }
    return s + t;
}
static double branch_unpredicted(int n) { return branches(n, random_, MANY - 1); }
static double branch_predicted(int n) { return branches(n, sorted_, MANY - 1); }
static double branch_half_learnt(int n) { return branches(n, random_, HALF_LEARNT - 1); }

static __attribute__((noinline, optimize("no-inline", "no-optimize-sibling-calls"))) int deep(int k) {
    return k < 2 ? k : deep(k - 1) + deep(k - 2);
}
static double call_recursive(int n) { int s = 0; for (int i = 0; i < n; i++) s += deep(20); return s; }

static int visited;
static __attribute__((noinline)) void visit(int k) {
    visited++;
    if (k == 0) return;
    for (int i = 0; i < 2; i++) visit(k - 1);
}
static double call_looping(int n) { for (int i = 0; i < n; i++) visit(16); return visited; }

static __attribute__((noinline)) int square(int k) { return 3 * k; }
static __attribute__((noinline)) int bar(int k) { return 3 + k; }
static __attribute__((noinline)) int line(int k) { return k; }
static __attribute__((noinline)) int frame(int k) { return 12 ^ k; }
static int (*SHAPES[4])(int) = {square, bar, line, frame}, (*ANY[HALF_LEARNT])(int);
static double areas(int n, int (**shapes)(int), int mask) {
    int s = 0;
    for (int i = 0; i < n; i++) s += shapes[i & mask](i);
    return s;
}
static double call_virtual(int n) { return areas(n, SHAPES, 3); }
static double virtual_unpredicted(int n) { return areas(n, ANY, HALF_LEARNT - 1); }

static double switched(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        switch (i & 7) {
        case 0: s += 1; break;
        case 1: s ^= 2; break;
        case 2: s += i; break;
        case 3: s ^= i; break;
        case 4: s -= 3; break;
        case 5: s += 7; break;
        case 6: s ^= 9; break;
        default: s++;
        }
    return s;
}

static char TEXT[4200], COPY[4200];
static int NUMBERS[1024], KEYS[1024];
static int by_value(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
static void *volatile kept;
static double call_malloc(int n) { for (int i = 0; i < n; i++) { kept = malloc(64); free(kept); } return 0; }
static double call_rand(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= rand(); return s; }
static double call_strlen(int n) { long s = 0; for (int i = 0; i < n; i++) { TEXT[8] = (char) (i | 1); s += (long) strlen(TEXT + 4090); } return s; }
static double call_snprintf(int n) { long s = 0; for (int i = 0; i < n; i++) s += snprintf(COPY, 64, "%d %g\n", i, i * .5); return s; }
static double call_clock(int n) { double s = 0; for (int i = 0; i < n; i++) s += clock(); return s; }
static double copied(int n, long size) { for (int i = 0; i < n; i++) { memcpy(COPY, TEXT, size + (SEED & 1)); kept = COPY; } return COPY[3]; }
static double copy_64(int n) { return copied(n, 64); }
static double copy_4096(int n) { return copied(n, 4096); }
static double cleared(int n, long size) { for (int i = 0; i < n; i++) { memset(COPY, i, size + (SEED & 1)); kept = COPY; } return COPY[3]; }
static double clear_64(int n) { return cleared(n, 64); }
static double clear_4096(int n) { return cleared(n, 4096); }
static double sort_1024(int n) {
    for (int i = 0; i < n; i++) { memcpy(NUMBERS, KEYS, sizeof KEYS); qsort(NUMBERS, 1024, sizeof(int), by_value); }
    return NUMBERS[7];
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double timed(Case run, int rounds) {
    double begin = now();
    sink += run(rounds);
    return now() - begin;
}

int main(int count, char **words) {
    double warm = atof(words[1]) / 1000, sample = atof(words[2]) / 1000;
    int samples = atoi(words[3]);
    for (int k = 0; k < 3 && k + 4 < count; k++) BYTES[k] = atol(words[k + 4]);
    const char *only = count > 7 ? words[7] : "";
    Y = SEED + 4; SMALL = SEED - 3; X = SEED - 6;
    random_ = malloc(4L * MANY); sorted_ = malloc(4L * MANY);
    srand(3);
    for (int i = 0; i < MANY; i++) { random_[i] = rand() & ((1 << 20) - 1); sorted_[i] = i < MANY / 2 ? 0 : 1 << 20; }
    for (int i = 0; i < HALF_LEARNT; i++) ANY[i] = SHAPES[rand() & 3];
    for (int i = 0; i < 1024; i++) KEYS[i] = rand();
    memset(TEXT, 'a', 4199);
    /* REGISTER */
    for (int k = 0; k < registered; k++) {
        if (*only && !strstr(cases[k].name, only)) continue;
        int rounds = 64;
        timed(cases[k].run, rounds); /* arrays come into being */
        double once = timed(cases[k].run, rounds);
        while (once < warm && rounds < 1 << 28) { rounds *= 2; once = timed(cases[k].run, rounds); }
        int many = (int) MAX(rounds * sample / MAX(once, 1e-9), 1);
        many = many / 512 * 512 + (many < 512 ? MAX(many, 1) : 0);
        printf("%s", cases[k].name);
        for (int s = 0; s < samples; s++) printf(" %.6g", timed(cases[k].run, many) / many);
        printf("\n");
    }
    return 0;
}

/* Kernels over two sizes: ./kernels NAME n m prints the processor time of one run, in seconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long n, m;
static volatile double sink;
static unsigned long long state = 88172645463325252ULL;

static unsigned long long draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void *filled(size_t count, size_t width) {
    unsigned char *memory = malloc(count * width + 8);
    for (size_t k = 0; k < count * width; k += 8) {
        unsigned long long word = draw();
        memcpy(memory + k, &word, 8);
    }
    return memory;
}

/* n items into a capacity of m. */
static double knapsack(void) {
    int *weight = filled(n, sizeof(int)), *best = calloc(m + 1, sizeof(int));
    double start = seconds();
    for (long i = 0; i < n; i++) {
        long own = (weight[i] & 1023) + 1;
        for (long c = m; c >= own; c--)
            if (best[c - own] + own > best[c]) best[c] = best[c - own] + own;
    }
    sink = best[m];
    return seconds() - start;
}

/* n rows joined with m rows by a table of hashes. */
static double hash_join(void) {
    unsigned *build = filled(n, sizeof(unsigned)), *probe = filled(m, sizeof(unsigned));
    double start = seconds();
    long slots = 1, hits = 0;
    while (slots < 2 * n) slots *= 2;
    unsigned *table = calloc(slots, sizeof(unsigned));
    for (long i = 0; i < n; i++) {
        unsigned at = build[i] * 2654435761u & (slots - 1);
        while (table[at]) at = (at + 1) & (slots - 1);
        table[at] = build[i] | 1;
    }
    for (long i = 0; i < m; i++)
        for (unsigned at = probe[i] * 2654435761u & (slots - 1); table[at]; at = (at + 1) & (slots - 1))
            if (table[at] == (probe[i] | 1)) hits++;
    sink = hits;
    return seconds() - start;
}

/* A kernel of m x m over an image of n x n. */
static double convolution(void) {
    float *image = calloc((n + m) * (n + m), sizeof(float)), *kernel = calloc(m * m, sizeof(float));
    double start = seconds(), sum = 0;
    for (long y = 0; y < n; y++)
        for (long x = 0; x < n; x++) {
            float value = 0;
            for (long v = 0; v < m; v++)
                for (long u = 0; u < m; u++) value += image[(y + v) * (n + m) + x + u] * kernel[v * m + u];
            sum += value;
        }
    sink = sum;
    return seconds() - start;
}

/* n equations, solved for m right sides. */
static double equations(void) {
    double *a = calloc(n * n, sizeof(double)), *b = calloc(n * m, sizeof(double));
    for (long i = 0; i < n * n; i++) a[i] = (draw() & 1023) / 1024.0 + (i % (n + 1) ? 0 : n);
    double start = seconds();
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (long j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            for (long j = 0; j < m; j++) b[i * m + j] -= factor * b[k * m + j];
        }
    sink = b[n * m - 1];
    return seconds() - start;
}

static int by_value(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* m lists of n numbers: each is sorted, all are merged with a heap. */
static double merging(void) {
    int *lists = filled(n * m, sizeof(int));
    long *at = calloc(m, sizeof(long)), *heap = calloc(m + 1, sizeof(long)), left = m;
    double start = seconds(), sum = 0;
    for (long k = 0; k < m; k++) qsort(lists + k * n, n, sizeof(int), by_value);
#define KEY(k) lists[heap[k] * n + at[heap[k]]]
    for (long k = 0; k < m; k++) heap[k] = k;
    for (long root = m / 2; root >= 0 || left;) {
        long k = root >= 0 ? root : 0;
        for (long child; (child = 2 * k + 1) < left; k = child) {
            if (child + 1 < left && KEY(child + 1) < KEY(child)) child++;
            if (KEY(k) <= KEY(child)) break;
            long swap = heap[k];
            heap[k] = heap[child], heap[child] = swap;
        }
        if (--root >= 0) continue;
        sum += KEY(0);
        if (++at[heap[0]] == n) heap[0] = heap[--left];
    }
    sink = sum;
    return seconds() - start;
}

/* n points go to the nearest of m centres in four dimensions, five times. */
static double centres(void) {
    float *points = filled(4 * n, sizeof(float)), *centre = calloc(4 * m, sizeof(float)), *sums = calloc(5 * m, sizeof(float));
    for (long k = 0; k < 4 * n; k++) points[k] = draw() & 1023;
    for (long k = 0; k < 4 * m; k++) centre[k] = draw() & 1023;
    double start = seconds();
    for (int step = 0; step < 5; step++) {
        memset(sums, 0, 5 * m * sizeof(float));
        for (long i = 0; i < n; i++) {
            float nearest = 1e30f;
            long best = 0;
            for (long j = 0; j < m; j++) {
                float far = 0;
                for (int d = 0; d < 4; d++) far += (points[4 * i + d] - centre[4 * j + d]) * (points[4 * i + d] - centre[4 * j + d]);
                if (far < nearest) nearest = far, best = j;
            }
            for (int d = 0; d < 4; d++) sums[5 * best + d] += points[4 * i + d];
            sums[5 * best + 4]++;
        }
        for (long j = 0; j < m; j++)
            if (sums[5 * j + 4] > 0)
                for (int d = 0; d < 4; d++) centre[4 * j + d] = sums[5 * j + d] / sums[5 * j + 4];
    }
    sink = centre[0];
    return seconds() - start;
}

/* A text of n letters of four, searched for a word of m, letter by letter; m words in all. */
static double searching(void) {
    char *text = filled(n + m, 1), *word = filled(m, 1);
    for (long k = 0; k < n + m; k++) text[k] &= 3;
    for (long k = 0; k < m; k++) word[k] &= 3;
    double start = seconds();
    long hits = 0;
    for (long turn = 0; turn < m; turn++) {
        word[turn] ^= 1;
        for (long k = 0; k < n; k++) {
            long same = 0;
            while (same < m && text[k + same] == word[same]) same++;
            hits += same == m;
        }
    }
    sink = hits;
    return seconds() - start;
}

/* n keys into a tree of at most 32 bits, then m look-ups. */
static double digital_tree(void) {
    unsigned *keys = filled(n, sizeof(unsigned)), *wanted = filled(m, sizeof(unsigned));
    int (*child)[2] = calloc(12 * n + 64, sizeof *child), nodes = 1;
    double start = seconds(), hits = 0;
    for (long i = 0; i < n; i++)
        for (int bit = 31, at = 0; bit >= 20; bit--) {
            int *next = &child[at][keys[i] >> bit & 1];
            if (!*next) *next = nodes++;
            at = *next;
        }
    for (long i = 0; i < m; i++)
        for (int bit = 31, at = 0; bit >= 20; bit--) {
            at = child[at][wanted[i] >> bit & 1];
            if (!at) break;
            hits += bit == 20;
        }
    sink = hits;
    return seconds() - start;
}

/* m sweeps over a grid of n x n, each point the mean of its neighbours. */
static double sweeps(void) {
    double *grid = calloc((n + 2) * (n + 2), sizeof(double));
    for (long k = 0; k < n + 2; k++) grid[k] = k;
    double start = seconds();
    for (long turn = 0; turn < m; turn++)
        for (long y = 1; y <= n; y++)
            for (long x = 1; x <= n; x++) {
                double *at = grid + y * (n + 2) + x;
                *at = (at[-1] + at[1] + at[-n - 2] + at[n + 2]) / 4;
            }
    sink = grid[n + 3];
    return seconds() - start;
}

/* The distance of two strings of n and m letters. */
static double distance(void) {
    unsigned char *a = filled(n, 1), *b = filled(m, 1);
    int *row = malloc((m + 1) * sizeof(int));
    double start = seconds();
    for (long j = 0; j <= m; j++) row[j] = j;
    for (long i = 1; i <= n; i++)
        for (long j = 1, before = row[0]++; j <= m; j++) {
            long other = before + ((a[i - 1] & 3) != (b[j - 1] & 3));
            before = row[j];
            if (row[j - 1] + 1 < other) other = row[j - 1] + 1;
            if (before + 1 < other) other = before + 1;
            row[j] = other;
        }
    sink = row[m];
    return seconds() - start;
}

/* The m largest of n keys by a heap, keys ascending as often as not. */
static double largest(void) {
    unsigned *keys = filled(n, sizeof(unsigned)), *heap = calloc(m + 1, sizeof(unsigned));
    for (long i = 0; i < n; i++) keys[i] = keys[i] / 2 + i * (1ULL << 31) / n;
    double start = seconds();
    for (long i = 0; i < n; i++) {
        if (keys[i] <= heap[0]) continue;
        long at = 0;
        for (long child; (child = 2 * at + 1) < m; at = child) {
            if (child + 1 < m && heap[child + 1] < heap[child]) child++;
            if (heap[child] >= keys[i]) break;
            heap[at] = heap[child];
        }
        heap[at] = keys[i];
    }
    sink = heap[0];
    return seconds() - start;
}

/* n keys below m counted, summed up and put in order. */
static double counting(void) {
    unsigned *keys = filled(n, sizeof(unsigned)), *sorted = malloc(n * sizeof(unsigned)), *place = calloc(m + 1, sizeof(unsigned));
    double start = seconds();
    for (long i = 0; i < n; i++) place[keys[i] % m + 1]++;
    for (long k = 0; k < m; k++) place[k + 1] += place[k];
    for (long i = 0; i < n; i++) sorted[place[keys[i] % m]++] = keys[i];
    sink = sorted[n / 2];
    return seconds() - start;
}

/* The way from the first row of n x m fields to all that are free, breadth first. */
static double flood(void) {
    unsigned char *field = filled(n * m, 1);
    int *queue = malloc(n * m * sizeof(int)), head = 0, tail = 0;
    double start = seconds();
    for (long x = 0; x < m; x++) queue[tail++] = x, field[x] = 0;
    while (head < tail) {
        int at = queue[head++], x = at % m, y = at / m;
        int next[4] = {x > 0 ? at - 1 : at, x < m - 1 ? at + 1 : at, y > 0 ? at - m : at, y < n - 1 ? at + m : at};
        for (int k = 0; k < 4; k++)
            if (field[next[k]] > 64) field[next[k]] = 0, queue[tail++] = next[k];
    }
    sink = tail;
    return seconds() - start;
}

static const struct { const char *name; double (*run)(void); } KERNELS[] = {
    {"knapsack", knapsack}, {"hash_join", hash_join}, {"convolution", convolution},
    {"equations", equations}, {"merging", merging}, {"centres", centres}, {"searching", searching},
    {"digital_tree", digital_tree}, {"sweeps", sweeps},
    {"distance", distance}, {"largest", largest}, {"counting", counting}, {"flood", flood},
};

int main(int count, char **arguments) {
    n = atol(arguments[2]), m = atol(arguments[3]);
    for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++)
        if (!strcmp(KERNELS[k].name, arguments[1])) printf("%.9g\n", KERNELS[k].run());
    return count != 4;
}

/* Functions whose marked statements a run counts and a model says: each is called with n. The source alone fixes the
   count of those above the line of stars; of those below, a run with counters does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
static double M;
#ifndef MARK
#define MARK (M = cbrt(M))
#endif
#define TIMES(k) for (int t_ = 0; t_ < (k); t_++)
#define HALF(k) ((k) / 2)
enum { THREE = 3, SEVEN = 7 };
struct range { int low, high; };
struct node { int key; struct node *next; };
typedef unsigned char u8;
static int width = 5;
static const int table[4] = {1, 2, 3, 4};

void plain(int n) { for (int i = 0; i < n; i++) MARK; }
void inclusive(int n) { for (int i = 1; i <= n; i++) MARK; }
void down(int n) { for (int i = n; i > 0; i--) MARK; }
void down_to_zero(int n) { for (int i = n; i >= 0; i--) MARK; }
void by_three(int n) { for (int i = 0; i < n; i += 3) MARK; }
void unequal(int n) { for (int i = 0; i != n; i++) MARK; }
void nest(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) MARK; }
void triangle(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) MARK; }
void upper_triangle(int n) { for (int i = 0; i < n; i++) for (int j = i; j < n; j++) MARK; }
void cube(int n) { for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) for (int k = 0; k <= j; k++) MARK; }
void while_up(int n) { int i = 0; while (i < n) { MARK; i++; } }
void while_down(int n) { while (n > 0) { MARK; n--; } }
void while_step(int n) { while (n-- > 0) MARK; }
void while_truth(int n) { int k = n; while (k--) MARK; }
void while_prefix(int n) { int k = n + 1; while (--k) MARK; }
void do_while(int n) { int i = 0; do { MARK; i++; } while (i < n); }
void do_once(int n) { do { MARK; } while (0); }
void doubling(int n) { for (int i = 1; i < n; i *= 2) MARK; }
void halving(int n) { for (int i = n; i > 0; i /= 2) MARK; }
void shifted(int n) { for (int i = n; i; i >>= 1) MARK; }
void shifted_up(int n) { for (int i = 1; i <= n; i <<= 1) MARK; }
void two_counters(int n) { for (int i = 0, j = n; i < j; i++, j--) MARK; }
void comma_steps(int n) { int k = 0; for (int i = 0; i < n; i++, k += 2) MARK; for (int i = 0; i < k; i++) MARK; }
void macro_loop(int n) { TIMES(n) MARK; TIMES(HALF(n)) MARK; }
void constants(int n) { for (int i = 0; i < THREE * SEVEN; i++) MARK; }
void size_of(int n) { for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) MARK; }
void unsigned_loop(int n) { for (unsigned i = 0; i < (unsigned) n; i++) MARK; }
void unsigned_wrap(int n) { unsigned char k = 250; k += 10; for (int i = 0; i < k; i++) MARK; }
void long_index(int n) { for (long long i = 0; i < (long long) n * 2; i++) MARK; }
void float_step(int n) { for (double x = 0; x < n; x += 0.5) MARK; }
void square_root(int n) { for (int i = 1; i * i <= n; i++) MARK; }
void blocks(int n) { for (int b = 0; b < n; b += 8) for (int i = b; i < b + 8 && i < n; i++) MARK; }
void rows(int n) { int m = n / 2; for (int i = 0; i < m; i++) for (int j = 0; j < n - m; j++) MARK; }
void global_width(int n) { for (int i = 0; i < width; i++) MARK; }
void members(int n) { struct range r = {2, n}; for (int i = r.low; i < r.high; i++) MARK; }
void members_set(int n) { struct range r; r.low = 0; r.high = n + 3; while (r.low < r.high) { MARK; r.low++; } }
static void times(int k) { for (int i = 0; i < k; i++) MARK; }
void called(int n) { times(n); times(2 * n); }
void called_in_loop(int n) { for (int i = 0; i < n; i++) times(i); }
static int half(int k) { return k / 2; }
void by_result(int n) { int m = half(n); for (int i = 0; i < m; i++) MARK; }
static void down_one(int k) { if (k <= 0) return; MARK; down_one(k - 1); }
void recursion(int n) { down_one(n); }
static void halves(int k) { if (k < 1) return; MARK; halves(k / 2); }
void recursion_halves(int n) { halves(n); }
static void both(int k) { if (k < 2) return; MARK; both(k / 2); both(k / 2); }
void divide(int n) { both(n); }
static int fib(int k) { MARK; return k < 2 ? k : fib(k - 1) + fib(k - 2); }
void fibonacci(int n) { fib(n % 20); }
static void is_odd(int k);
static void is_even(int k) { if (k > 0) { MARK; is_odd(k - 1); } }
static void is_odd(int k) { if (k > 0) { is_even(k - 1); } }
void mutual(int n) { is_even(n); }
void after_return(int n) { if (n >= 0) { MARK; return; } MARK; MARK; }
void label_out(int n) { for (int i = 0; i < n; i++) { MARK; if (i == i + 1) goto out; } out: MARK; }
void skipped_round(int n) { for (int i = 0; i < n; i++) { MARK; if (n < 0) continue; MARK; } }
void hidden_name(int n) { int i = 2; { int i = n; while (i > 0) { MARK; i--; } } for (int k = 0; k < i; k++) MARK; }
void conditional_bound(int n) { int m = n > 4 ? 4 : 4; for (int i = 0; i < m; i++) MARK; }
void pointer_walk(int n) { double *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) { a[i] = 0; MARK; } free(a); }
void constant_fold(int n) { const int k = 1 << 4; for (int i = 0; i < k - 1; i++) MARK; }
void modulo_bound(int n) { for (int i = 0; i < n % 7; i++) MARK; }
void negated(int n) { int i = 0; while (!(i >= n)) { MARK; i++; } }
void conversions(int n) { for (int i = 0; i < (int) (n * 1.5); i++) MARK; }
void statics(int n) { static int calls = 3; for (int i = 0; i < n; i++) MARK; calls++; }
void typedefs(int n) { for (u8 i = 0; i < 10; i++) MARK; }
/* ************************************************************************************************************** */
void collatz(int n) { for (long k = n; k != 1;) { MARK; k = k % 2 ? 3 * k + 1 : k / 2; } }
void remainders(int n) { for (int i = 0; i < n; i++) if (i % 3 == 0) MARK; }
void either(int n) { for (int i = 0; i < n; i++) if (i % 2 == 0 || i % 5 == 0) MARK; }
void neither(int n) { for (int i = 0; i < n; i++) if (!(i % 2)) continue; else MARK; }
void cases(int n) {
    for (int i = 0; i < n; i++)
        switch (i % 5) {
        case 0:
        case 1: MARK; break;
        case 3: MARK; /* falls through */
        default: MARK;
        }
}
void sieve(int n) {
    char *crossed = calloc(n + 1, 1);
    for (int i = 2; i * i <= n; i++)
        if (!crossed[i]) for (int j = i * i; j <= n; j += i) { crossed[j] = 1; MARK; }
    free(crossed);
}
void bubble(int n) {
    int *a = malloc(n * sizeof(int)), swapped;
    for (int i = 0; i < n; i++) a[i] = (i * 7919) % 101;
    do {
        swapped = 0;
        for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; swapped = 1; MARK; }
    } while (swapped);
    free(a);
}
void list(int n) {
    struct node *first = 0;
    for (int i = 0; i < n; i++) { struct node *one = malloc(sizeof *one); one->key = i; one->next = first; first = one; }
    for (struct node *at = first; at; at = at->next) if (at->key > 3) MARK;
}
void binary_search(int n) {
    for (int x = 0; x < n; x++) {
        int low = 0, high = n;
        while (low < high) { int middle = (low + high) / 2; if (middle < x) low = middle + 1; else high = middle; MARK; }
    }
}
void ends_early(int n) { for (int i = 0; i < n; i++) { MARK; if (i * i > n) break; } }
void goto_loop(int n) { int i = 0; again: MARK; if (++i < n) goto again; }
void gcd(int n) { int a = n, b = 36; while (b) { int t = a % b; a = b; b = t; MARK; } }
void by_pointer(int n) { int m = n; int *p = &m; *p += 2; for (int i = 0; i < m; i++) MARK; }
void word(int n) { const char *s = "hello"; for (; *s; s++) MARK; }
void string_length(int n) { for (size_t i = 0; i < strlen("four"); i++) MARK; }
void ternary(int n) { for (int i = 0; i < n; i++) (i & 4) ? (MARK) : 0; }
static int stop(int i, int n) { return i >= n / 3; }
void asked(int n) { for (int i = 0; !stop(i, n); i++) MARK; }
void data(int n) { int a[8] = {1, 0, 2, 0, 3, 0, 4, 5}; for (int i = 0; i < 8; i++) if (a[i]) MARK; }

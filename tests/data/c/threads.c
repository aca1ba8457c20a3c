/* Loops whose rounds threads share. A run counts the marks of each thread; a model says those of the busiest one. */
#include <math.h>
#ifndef MARK
static double M;
#define MARK (M = cbrt(M))
#endif
#define CHUNK 3

void equal_parts(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) MARK;
}
void triangle(int n) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) MARK;
}
void upper_triangle(int n) {
    int i, j;
#pragma omp parallel for private(j) \
    schedule(static)
    for (i = 1; i <= n; i++)
        for (j = i; j < n; j++) MARK;
}
void in_turn(int n) {
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) MARK;
}
void chunks(int n) {
#pragma omp parallel for schedule(static, CHUNK)
    for (int i = 0; i < n; i++) MARK;
}
void chunks_of_a_triangle(int n) {
#pragma omp parallel for schedule(static, CHUNK)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) MARK;
}
void in_a_region(int n) {
#pragma omp parallel
#pragma omp for schedule(static, 2)
    for (int i = 2; i < n; i += 2) { MARK; MARK; }
}
void after_another(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) MARK;
    MARK;
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) MARK;
}

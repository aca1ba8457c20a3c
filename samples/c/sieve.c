#include <stdlib.h>

/* Counts the primes up to n by crossing out their multiples. */
int primes(int n) {
    char *crossed = calloc(n + 1, 1);
    int count = 0;
    for (int i = 2; i <= n; i++) {
        if (crossed[i])
            continue;
        count++;
        for (long j = (long) i * i; j <= n; j += i)
            crossed[j] = 1;
    }
    free(crossed);
    return count;
}

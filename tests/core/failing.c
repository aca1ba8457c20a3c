/* Allocations of which the n-th fails, counted from `apet_fail_at(n)` on; none does for 0. */

#include <stdint.h>

#undef malloc
#undef calloc
#undef realloc

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void apet_fail_at(int64_t number);
EXPORTED int64_t apet_allocations(void);

static int64_t failing, number_of_allocations;

void apet_fail_at(int64_t number) {
    failing = number;
    number_of_allocations = 0;
}

int64_t apet_allocations(void) { return number_of_allocations; }

static int fails(void) { return ++number_of_allocations == failing; }

void *failing_malloc(size_t size) { return fails() ? NULL : malloc(size); }

void *failing_calloc(size_t number, size_t size) { return fails() ? NULL : calloc(number, size); }

void *failing_realloc(void *old, size_t size) { return fails() ? NULL : realloc(old, size); }

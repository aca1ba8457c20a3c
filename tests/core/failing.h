/* Included before every unit of a core that is tested: allocations go through functions that can be made to fail. */

#ifndef APET_FAILING_H
#define APET_FAILING_H

#include <stdlib.h>

void *failing_malloc(size_t size);
void *failing_calloc(size_t number, size_t size);
void *failing_realloc(void *old, size_t size);

#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc

#endif

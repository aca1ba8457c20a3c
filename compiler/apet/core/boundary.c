/* The boundary to Python as text: a line for each structure with its size, and for each function. */

#include "core.h"

#define SHARED(name, ...) {#name, #__VA_ARGS__, (i64)sizeof(name)},
#define FUNCTION(result, name, ...) {#result " " #name, #__VA_ARGS__, 0},

static const struct { const char *name, *text; i64 size; } ENTRIES[] = {
#include "boundary.h"
    {NULL, NULL, 0},
};

/* The k-th entry: its name (behind the result, of a function), its fields or arguments; the size of a structure, 0 for a
 * function, -1 behind the last. */
EXPORT i64 apet_boundary(i64 k, const char **name, const char **text) {
    *name = ENTRIES[k].name;
    *text = ENTRIES[k].text;
    return *name ? ENTRIES[k].size : -1;
}

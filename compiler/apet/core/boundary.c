/* The boundary to Python as text: a line for each structure with its size, each function, and each constant. */

#include "reading.h"

#define SHARED(name, ...) {#name, #__VA_ARGS__, (i64)sizeof(name)},
#define FUNCTION(result, name, ...) {#result " " #name, #__VA_ARGS__, 0},
#define CONSTANT(name) {#name, "", name},

static const struct { const char *name, *text; i64 number; } ENTRIES[] = {
#include "boundary.h"
};

/* The k-th entry: its name (behind the result, of a function), its fields or arguments (empty for a constant), the bytes
 * of a structure or the value of a constant. 0 behind the last one. */
EXPORT int apet_boundary(i64 k, const char **name, const char **text, i64 *number) {
    if (k >= (i64)(sizeof(ENTRIES) / sizeof(*ENTRIES))) return 0;
    *name = ENTRIES[k].name;
    *text = ENTRIES[k].text;
    *number = ENTRIES[k].number;
    return 1;
}

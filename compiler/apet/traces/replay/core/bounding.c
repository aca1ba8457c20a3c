/* What bounds of a replay's time need: dates by longest path, what links carry, clocks, which flows are apart, and how
 * long they hold each other back. As sweep.py, floors.py, clocks.py, relations.py and overlap.py. */

#include "state.h"
#include "walk.c"
#include "floors.c"
#include "dates.c"
#include "clocks.c"
#include "apart.c"
#include "pieces.c"
#include "critical.c"

/* What bounds of a replay's time need: dates by longest path, clocks, and which flows are apart. As sweep.py, clocks.py
 * and relations.py. */

#include "state.h"
#include "walk.c"
#include "dates.c"
#include "clocks.c"
#include "apart.c"

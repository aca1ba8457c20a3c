/* How far ranks come, whatever time things take: only the order of messages counts. */

#include "walk.h"

static int ends_choose(Walk *w, i64 rank, i64 group) {
    (void)rank;
    return walk_known(w, group) >= needed_of(w->task, group);
}

static const Visitor ENDS = {.choose = ends_choose};

/* By rank the operation after the one that it waits in, one more than all at its end. 1 if memory ran out. */
i64 apet_ends(const Programs *task, i64 *stands) {
    Walk w;
    walk_begin(&w, task);
    walk_all(&w, &ENDS);
    for (i64 r = 0; !w.failed && r < task->ranks; r++) stands[r] = w.at[r] + 1;
    walk_end(&w);
    return w.failed;
}

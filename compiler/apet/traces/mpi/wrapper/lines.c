/* Lines that most calls share. */
#include "trace.h"

#include <stdio.h>

enum { FIRST_REGION = 3, DEEPEST = 64 };

static int regions[DEEPEST], depth; /* those that are open, the innermost last */

void apet_compute(void)
{
    long long computed = apet_pending();
    if (computed > 0) {
        apet_begin("compute");
        apet_number(computed);
        if (depth > 0) {
            apet_text(" # region");
            apet_number(regions[(depth < DEEPEST ? depth : DEEPEST) - 1]);
        }
        apet_end();
    }

    long long slept = apet_pending_sleep();
    if (slept > 0) {
        char seconds[32];
        snprintf(seconds, sizeof seconds, " %.9f", slept * 1e-9);
        apet_begin("sleep");
        apet_text(seconds);
        apet_end();
    }
}

/* Levels that the standard gives no meaning are numbers of regions: K begins one, -K ends it. */
int MPI_Pcontrol(const int level, ...)
{
    if (apet_enter() && (level >= FIRST_REGION || level <= -FIRST_REGION)) {
        apet_compute();
        if (level > 0 && depth++ < DEEPEST)
            regions[depth - 1] = level;
        else if (level < 0 && depth > 0)
            depth--;
    }
    apet_leave();
    return MPI_SUCCESS;
}

void apet_begin_action(const char *action, long *line)
{
    apet_compute();
    long place = apet_begin(action);
    if (line)
        *line = place;
}

long long apet_bytes(long long count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (count == 0 || type == MPI_DATATYPE_NULL)
        return 0;
    PMPI_Type_size_x(type, &size);
    return count * size;
}

void apet_send_line(const char *action, MPI_Comm comm, int peer, int tag, long long bytes)
{
    if (!apet_recorded(comm, peer))
        return;
    const struct apet_group *group = apet_group(comm);
    apet_begin_action(action, 0);
    apet_number(apet_peer(group, peer));
    apet_number(apet_tag(group, tag));
    apet_number(bytes);
    apet_text(" 6");
    apet_end();
}

void apet_receive_line(const char *action, MPI_Comm comm, const MPI_Status *status, long long bytes)
{
    apet_send_line(action, comm, status->MPI_SOURCE, status->MPI_TAG, bytes);
}

/* Communicators: who is in them, and numbers that tell their messages apart.

   Two communicators that share a rank have different numbers: the ranks of a new one agree on the greatest that any of
   them would take next. */
#include "trace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 1000000 };

int apet_rank, apet_size;
MPI_Comm apet_everybody = MPI_COMM_NULL;
static int key = MPI_KEYVAL_INVALID, next_id = 2;
static struct apet_group *world;
static MPI_Comm recent = MPI_COMM_NULL;
static struct apet_group *recent_group;

/* The group's ranks behind `# comm`: ranges with a step are shortened. */
static char *comment(const struct apet_group *group)
{
    char *text = malloc(16 + 24 * (size_t)group->size), *at = text;
    at += sprintf(at, " # comm ");
    for (int k = 0; k < group->size;) {
        int run = 1;
        while (k + run < group->size && group->ranks[k + run] == group->ranks[k] + run)
            run++;
        if (k)
            *at++ = ',';
        at += run > 2 ? sprintf(at, "%d-%d", group->ranks[k], group->ranks[k + run - 1])
                      : sprintf(at, "%d", group->ranks[k]);
        k += run > 2 ? run : 1;
    }
    *at = 0;
    return text;
}

static struct apet_group *described(MPI_Comm comm, int id)
{
    struct apet_group *found = calloc(1, sizeof *found);
    MPI_Group members, all;
    PMPI_Comm_test_inter(comm, &found->inter);
    if (found->inter)
        PMPI_Comm_remote_group(comm, &members);
    else
        PMPI_Comm_group(comm, &members);
    PMPI_Comm_group(apet_everybody, &all);
    PMPI_Group_size(members, &found->size);
    int *own = malloc(sizeof(int) * (size_t)(found->size + 1));
    found->ranks = malloc(sizeof(int) * (size_t)(found->size + 1));
    for (int k = 0; k < found->size; k++)
        own[k] = k;
    PMPI_Group_translate_ranks(members, found->size, own, all, found->ranks);
    PMPI_Group_free(&members);
    PMPI_Group_free(&all);
    free(own);
    found->id = id;
    found->all = found->size == apet_size;
    for (int k = 0; k < found->size; k++) {
        found->all = found->all && found->ranks[k] == k;
        found->outside |= found->ranks[k] < 0;
    }
    found->comment = found->all || found->inter || found->outside ? NULL : comment(found);
    return found;
}

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra, (void)value; /* requests may still point to it: it is kept */
    recent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

void apet_world(MPI_Comm everybody)
{
    int started = 0;
    apet_everybody = everybody;
    PMPI_Comm_rank(everybody, &apet_rank);
    PMPI_Comm_size(everybody, &apet_size);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    world = described(everybody, 0);
    PMPI_Initialized(&started);
    if (started && everybody == MPI_COMM_WORLD)
        PMPI_Comm_set_attr(MPI_COMM_SELF, key, described(MPI_COMM_SELF, 1));
}

const struct apet_group *apet_group(MPI_Comm comm)
{
    if (comm == apet_everybody)
        return world;
    if (comm == recent)
        return recent_group;
    struct apet_group *found = NULL;
    int there = 0;
    PMPI_Comm_get_attr(comm, key, &found, &there);
    if (!there) {
        apet_note("communicators whose making was not seen");
        found = described(comm, 1);
        PMPI_Comm_set_attr(comm, key, found);
    }
    recent = comm;
    recent_group = found;
    return found;
}

static void agree(int *own, int *greatest, MPI_Comm comm)
{
    MPI_Request request;
    PMPI_Iallreduce(own, greatest, 1, MPI_INT, MPI_MAX, comm, &request);
    apet_await(&request, MPI_STATUS_IGNORE);
}

/* The ranks of a copy are those of its original: they agree there, while it is being made. */
MPI_Request apet_agree(MPI_Comm comm, int *id)
{
    MPI_Request request;
    *id = next_id++;
    PMPI_Iallreduce(MPI_IN_PLACE, id, 1, MPI_INT, MPI_MAX, comm, &request);
    return request;
}

void apet_copied(MPI_Comm comm, int id)
{
    next_id = id < next_id ? next_id : id + 1;
    PMPI_Comm_set_attr(comm, key, described(comm, id));
    recent = MPI_COMM_NULL;
}

void apet_made(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return;
    struct apet_group *made = described(comm, 1);
    int other = next_id;
    if (!made->outside) { /* others would not take part in it */
        agree(&next_id, &made->id, comm);
        if (made->inter) { /* the result is that of the other side: send it back */
            agree(&made->id, &other, comm);
            made->id = made->id > other ? made->id : other;
        }
        next_id = made->id + 1;
    }
    PMPI_Comm_set_attr(comm, key, made);
    recent = MPI_COMM_NULL;
}

int apet_recorded(MPI_Comm comm, int peer)
{
    if (peer == MPI_PROC_NULL)
        return 0;
    const struct apet_group *group = apet_group(comm);
    if (group->outside && (peer < 0 || group->ranks[peer] < 0))
        apet_note("messages from and to processes started at run time");
    else
        return peer < group->size;
    return 0;
}

int apet_peer(const struct apet_group *group, int rank)
{
    return group->ranks[rank];
}

int apet_tag(const struct apet_group *group, int tag)
{
    long long number = (long long)group->id * STRIDE + tag;
    if (group->id && (tag >= STRIDE || number > INT_MAX)) {
        apet_note("tags that may be those of another communicator");
        number &= INT_MAX;
    }
    return (int)number;
}

/* Collective operations. Sizes are bytes (type 6). One of all ranks reads as SimGrid writes it; one of some ranks names
   them in a comment. Immediate ones are written where they begin; their waits name their kind. */
#include "trace.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef const int *Counts;

/* By which tag SimGrid's traces wait for the immediate form of an action. */
static const struct { const char *action; int tag; } kinds[] = {
    {"barrier", -779},   {"bcast", -3335},     {"reduce", -113},    {"allreduce", -4446},  {"scan", -889},
    {"exscan", -889},    {"gather", -446},     {"scatter", -224},   {"allgather", -557},   {"alltoall", -1113},
    {"gatherv", -2224},  {"allgatherv", -668}, {"scatterv", -335},  {"alltoallv", -1001},  {"reducescatter", -890},
};
static int immediate, kind;               /* whether lines are of immediate forms; the kind of the last one */

static const char *named(const char *action)
{
    static char name[24];
    if (!immediate)
        return action;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].action, action))
            kind = kinds[k].tag;
    snprintf(name, sizeof name, "i%s", action);
    return name;
}

static const struct apet_group *begin(const char *action, MPI_Comm comm, long *line)
{
    const struct apet_group *group = apet_group(comm);
    if (group->inter)
        apet_note("collectives between two groups");
    if (group->inter || group->size < 2)
        return NULL;
    apet_begin_action(named(action), line);
    return group;
}

static void end(const struct apet_group *group, const char *types)
{
    apet_text(types);
    if (group->comment)
        apet_text(group->comment);
    apet_end();
}

static void counts(const struct apet_group *group, Counts each, MPI_Datatype type)
{
    for (int k = 0; k < group->size; k++)
        apet_number(each ? apet_bytes(each[k], type) : 0);
}

static int rank_in(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static long barrier(MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin("barrier", comm, &line);
    if (group)
        end(group, "");
    return line;
}

static long bcast(long long bytes, int root, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin("bcast", comm, &line);
    if (group) {
        apet_number(bytes), apet_number(root);
        end(group, " 6");
    }
    return line;
}

/* reduce has a root, the others have none (below 0) */
static long reduction(const char *action, long long bytes, int root, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin(action, comm, &line);
    if (group) {
        apet_number(bytes), apet_number(0);
        if (root >= 0)
            apet_number(root);
        end(group, " 6");
    }
    return line;
}

/* gather and scatter have a root; allgather and alltoall have none */
static long equal(const char *action, long long sent, long long received, int root, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin(action, comm, &line);
    if (group) {
        apet_number(sent), apet_number(received);
        if (root >= 0)
            apet_number(root);
        end(group, " 6 6");
    }
    return line;
}

static long gathered(const char *action, long long sent, Counts each, MPI_Datatype type, int root, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin(action, comm, &line);
    if (group) {
        apet_number(sent);
        counts(group, root < 0 || rank_in(comm) == root ? each : NULL, type);
        if (root >= 0)
            apet_number(root);
        end(group, " 6 6");
    }
    return line;
}

static long scattered(Counts each, MPI_Datatype type, long long received, int root, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin("scatterv", comm, &line);
    if (group) {
        counts(group, rank_in(comm) == root ? each : NULL, type);
        apet_number(received), apet_number(root);
        end(group, " 6 6");
    }
    return line;
}

static long exchanged(Counts sent, MPI_Datatype out, const MPI_Datatype *outs, Counts received, MPI_Datatype in,
                      const MPI_Datatype *ins, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin("alltoallv", comm, &line);
    if (!group)
        return line;
    for (int side = 0; side < 2; side++) {
        Counts each = side ? received : sent;
        const MPI_Datatype *types = side ? ins : outs;
        long long sum = 0;
        for (int k = 0; k < group->size; k++)
            sum += apet_bytes(each[k], types ? types[k] : side ? in : out);
        apet_number(sum);
        for (int k = 0; k < group->size; k++)
            apet_number(apet_bytes(each[k], types ? types[k] : side ? in : out));
    }
    end(group, " 6 6");
    return line;
}

static long reduced(Counts each, int same, MPI_Datatype type, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin("reducescatter", comm, &line);
    if (group) {
        for (int k = 0; k < group->size; k++)
            apet_number(apet_bytes(each ? each[k] : same, type));
        apet_number(0);
        end(group, " 6");
    }
    return line;
}

/* A collective and its immediate form: what writes the line, arguments, parameters. */
#define COLLECTIVE(name, parameters, arguments, write)                                                                 \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        if (apet_enter())                                                                                              \
            write;                                                                                                     \
        int code = PMPI_##name arguments;                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#define IMMEDIATE(name, parameters, arguments, write)                                                                  \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        immediate = 1;                                                                                                 \
        long line = apet_enter() ? write : -1;                                                                         \
        immediate = 0;                                                                                                 \
        int code = PMPI_##name arguments;                                                                              \
        if (line >= 0)                                                                                                 \
            apet_begun(request, kind);                                                                                 \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#define FORMS(name, iname, write, arguments, ...)                                                                      \
    COLLECTIVE(name, (__VA_ARGS__), (arguments), write)                                                                \
    IMMEDIATE(iname, (__VA_ARGS__, MPI_Request *request), (arguments, request), write)
#define A(...) __VA_ARGS__

/* What this rank gives, or, where its data is in place, what it takes. */
#define OUT (out == MPI_IN_PLACE ? apet_bytes(received, in_type) : apet_bytes(sent, out_type))
#define IN (in == MPI_IN_PLACE ? apet_bytes(sent, out_type) : apet_bytes(received, in_type))
#define AT_ROOT (rank_in(comm) == root)

FORMS(Barrier, Ibarrier, barrier(comm), A(comm), MPI_Comm comm)
FORMS(Bcast, Ibcast, bcast(apet_bytes(count, type), root, comm), A(data, count, type, root, comm),
      void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
FORMS(Reduce, Ireduce, reduction("reduce", apet_bytes(count, type), root, comm),
      A(out, in, count, type, op, root, comm),
      const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
FORMS(Allreduce, Iallreduce, reduction("allreduce", apet_bytes(count, type), -1, comm),
      A(out, in, count, type, op, comm),
      const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Scan, Iscan, reduction("scan", apet_bytes(count, type), -1, comm), A(out, in, count, type, op, comm),
      const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Exscan, Iexscan, reduction("exscan", apet_bytes(count, type), -1, comm), A(out, in, count, type, op, comm),
      const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Gather, Igather, equal("gather", OUT, AT_ROOT ? IN : OUT, root, comm),
      A(out, sent, out_type, in, received, in_type, root, comm),
      const void *out, int sent, MPI_Datatype out_type, void *in, int received, MPI_Datatype in_type, int root,
      MPI_Comm comm)
FORMS(Scatter, Iscatter, equal("scatter", AT_ROOT ? OUT : IN, IN, root, comm),
      A(out, sent, out_type, in, received, in_type, root, comm),
      const void *out, int sent, MPI_Datatype out_type, void *in, int received, MPI_Datatype in_type, int root,
      MPI_Comm comm)
FORMS(Allgather, Iallgather, equal("allgather", OUT, apet_bytes(received, in_type), -1, comm),
      A(out, sent, out_type, in, received, in_type, comm),
      const void *out, int sent, MPI_Datatype out_type, void *in, int received, MPI_Datatype in_type, MPI_Comm comm)
FORMS(Alltoall, Ialltoall, equal("alltoall", OUT, apet_bytes(received, in_type), -1, comm),
      A(out, sent, out_type, in, received, in_type, comm),
      const void *out, int sent, MPI_Datatype out_type, void *in, int received, MPI_Datatype in_type, MPI_Comm comm)
FORMS(Gatherv, Igatherv,
      gathered("gatherv", out == MPI_IN_PLACE ? apet_bytes(each[rank_in(comm)], in_type) : apet_bytes(sent, out_type),
               each, in_type, root, comm),
      A(out, sent, out_type, in, each, places, in_type, root, comm),
      const void *out, int sent, MPI_Datatype out_type, void *in, Counts each, Counts places, MPI_Datatype in_type,
      int root, MPI_Comm comm)
FORMS(Allgatherv, Iallgatherv,
      gathered("allgatherv", apet_bytes(each[rank_in(comm)], in_type), each, in_type, -1, comm),
      A(out, sent, out_type, in, each, places, in_type, comm),
      const void *out, int sent, MPI_Datatype out_type, void *in, Counts each, Counts places, MPI_Datatype in_type,
      MPI_Comm comm)
FORMS(Scatterv, Iscatterv,
      scattered(each, out_type,
                in == MPI_IN_PLACE ? apet_bytes(each[rank_in(comm)], out_type) : apet_bytes(received, in_type), root,
                comm),
      A(out, each, places, out_type, in, received, in_type, root, comm),
      const void *out, Counts each, Counts places, MPI_Datatype out_type, void *in, int received,
      MPI_Datatype in_type, int root, MPI_Comm comm)
FORMS(Alltoallv, Ialltoallv,
      exchanged(out == MPI_IN_PLACE ? taken : given, out == MPI_IN_PLACE ? in_type : out_type, NULL, taken, in_type,
                NULL, comm),
      A(out, given, from, out_type, in, taken, to, in_type, comm),
      const void *out, Counts given, Counts from, MPI_Datatype out_type, void *in, Counts taken, Counts to,
      MPI_Datatype in_type, MPI_Comm comm)
FORMS(Alltoallw, Ialltoallw,
      exchanged(out == MPI_IN_PLACE ? taken : given, MPI_BYTE, out == MPI_IN_PLACE ? in_types : out_types, taken,
                MPI_BYTE, in_types, comm),
      A(out, given, from, out_types, in, taken, to, in_types, comm),
      const void *out, Counts given, Counts from, const MPI_Datatype *out_types, void *in, Counts taken, Counts to,
      const MPI_Datatype *in_types, MPI_Comm comm)
FORMS(Reduce_scatter, Ireduce_scatter, reduced(each, 0, type, comm), A(out, in, each, type, op, comm),
      const void *out, void *in, Counts each, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Reduce_scatter_block, Ireduce_scatter_block, reduced(NULL, each, type, comm), A(out, in, each, type, op, comm),
      const void *out, void *in, int each, MPI_Datatype type, MPI_Op op, MPI_Comm comm)

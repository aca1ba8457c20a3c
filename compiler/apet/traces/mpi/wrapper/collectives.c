/* Collective operations. Sizes are bytes (type 6). One of all ranks reads as SimGrid writes it; one of some ranks names
   them in a comment. Immediate ones are written where they begin; their waits name their kind. */
#include "trace.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* By which tag SimGrid's traces wait for the immediate form of an action. */
static const struct { const char *action; int tag; } kinds[] = {
    {"barrier", -779},   {"bcast", -3335},     {"reduce", -113},    {"allreduce", -4446},  {"scan", -889},
    {"exscan", -889},    {"gather", -446},     {"scatter", -224},   {"allgather", -557},   {"alltoall", -1113},
    {"gatherv", -2224},  {"allgatherv", -668}, {"scatterv", -335},  {"alltoallv", -1001},  {"reducescatter", -890},
};
static __thread int immediate, kind;               /* whether lines are of immediate forms; the kind of the last one */

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
    if (!apet_first_thread && group->all && group->id) { /* their order alone would tell them apart: threads have none */
        apet_note("collectives of further threads on copies of MPI_COMM_WORLD");
        return NULL;
    }
    if (group->inter)
        apet_note("collectives between two groups");
    else if (group->outside)
        apet_note("collectives with processes started at run time");
    if (group->inter || group->outside || group->size < 2)
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

static void counts(const struct apet_group *group, const struct apet_sizes *sizes)
{
    for (int k = 0; k < group->size; k++)
        apet_number(sizes ? apet_size_of(sizes, k) : 0);
}

long long apet_size_of(const struct apet_sizes *sizes, int k)
{
    long long count = sizes->same;
    if (sizes->each)
        count = sizes->wide ? ((const MPI_Count *)sizes->each)[k] : ((const int *)sizes->each)[k];
    return apet_bytes(count, sizes->types ? sizes->types[k] : sizes->type);
}

static int rank_in(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* A number, a size for each member, another number, and the root, of those that an operation has: no number and no root
   is below 0, no sizes are NULL. Where there is a root, it alone has the sizes. */
static long written(const char *action, MPI_Comm comm, long long first, const struct apet_sizes *each, long long last,
                    int root, const char *types)
{
    long line = -1;
    const struct apet_group *group = begin(action, comm, &line);
    if (!group)
        return line;
    if (first >= 0)
        apet_number(first);
    if (each)
        counts(group, root < 0 || rank_in(comm) == root ? each : NULL);
    if (last >= 0)
        apet_number(last);
    if (root >= 0)
        apet_number(root);
    end(group, types);
    return line;
}

#define BARRIER written("barrier", comm, -1, NULL, -1, -1, "")
#define BCAST(bytes) written("bcast", comm, bytes, NULL, -1, root, " 6")
#define REDUCTION(action, bytes, root) written(action, comm, bytes, NULL, 0, root, " 6")
#define BLOCKS(action, sent, received, root) written(action, comm, sent, NULL, received, root, " 6 6")
#define GATHERED(action, sent, each, root) written(action, comm, sent, &each, -1, root, " 6 6")
#define SCATTERED(each, received) written("scatterv", comm, -1, &each, received, root, " 6 6")
#define REDUCED(each) written("reducescatter", comm, -1, &each, 0, -1, " 6")

static long exchanged(struct apet_sizes sent, struct apet_sizes received, MPI_Comm comm)
{
    long line = -1;
    const struct apet_group *group = begin("alltoallv", comm, &line);
    if (!group)
        return line;
    for (int side = 0; side < 2; side++) {
        const struct apet_sizes *each = side ? &received : &sent;
        long long sum = 0;
        for (int k = 0; k < group->size; k++)
            sum += apet_size_of(each, k);
        apet_number(sum);
        counts(group, each);
    }
    end(group, " 6 6");
    return line;
}

#if MPI_VERSION >= 4
/* A persistent collective: its line is written each time that it starts. */
static void keep_line(long line, MPI_Request *request)
{
    struct apet_request *kept = apet_keep(request, APET_COLLECTIVE, MPI_COMM_NULL, 0, kind, 0, 1);
    kept->text = apet_cut(line);
}
#endif

/* What this rank gives, or, where its data is in place, what it takes. */
#define OUT (out == MPI_IN_PLACE ? apet_bytes(received, in_type) : apet_bytes(sent, out_type))
#define IN (in == MPI_IN_PLACE ? apet_bytes(sent, out_type) : apet_bytes(received, in_type))
#define AT_ROOT (rank_in(comm) == root)

/* Several calls of one name: blocking, immediate, persistent. */
#define FORMS(name, iname, write, arguments, ...)                                                                      \
    COLLECTIVE(name, iname, (__VA_ARGS__), A(arguments), write)                                                        \
    IMMEDIATE(iname, (__VA_ARGS__, MPI_Request *request), (arguments, request), write)                                 \
    AGAIN(name, (__VA_ARGS__, MPI_Info info, MPI_Request *request), (arguments, info, request), write)

/* A neighbourhood collective is the messages that it is made of: all are received and sent at once. */
#define NEIGHBOURS(name, iname, sizes, arguments, ...)                                                                 \
    NEAR(name, iname, (__VA_ARGS__), A(arguments), A(sizes))                                                           \
    INEAR(iname, (__VA_ARGS__, MPI_Request *request), (arguments, request), A(sizes))                                  \
    NEAR_AGAIN(name, (__VA_ARGS__, MPI_Info info, MPI_Request *request), (arguments, info, request), A(sizes))

#define BLOCKING(name, iname, arguments)                                                                               \
    MPI_Request own;                                                                                                   \
    int code = apet_patient ? PCALL(iname)(arguments, &own) : PCALL(name)(arguments);                                  \
    if (apet_patient && code == MPI_SUCCESS)                                                                           \
        code = apet_await(&own, MPI_STATUS_IGNORE);
#define COLLECTIVE(name, iname, parameters, arguments, write)                                                          \
    int CALL(name) parameters                                                                                          \
    {                                                                                                                  \
        IN_HALVES(half, CALL(iname)(arguments, &half), MPI_STATUS_IGNORE)                                              \
        if (apet_enter())                                                                                              \
            write;                                                                                                     \
        BLOCKING(name, iname, A(arguments))                                                                            \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#define IMMEDIATE(iname, parameters, arguments, write)                                                                 \
    int CALL(iname) parameters                                                                                         \
    {                                                                                                                  \
        immediate = 1;                                                                                                 \
        long line = apet_enter() ? write : -1;                                                                         \
        immediate = 0;                                                                                                 \
        int code = PCALL(iname) arguments;                                                                             \
        if (line >= 0)                                                                                                 \
            apet_begun(request, kind);                                                                                 \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#define NEAR(name, iname, parameters, arguments, sizes)                                                                \
    int CALL(name) parameters                                                                                          \
    {                                                                                                                  \
        IN_HALVES(half, CALL(iname)(arguments, &half), MPI_STATUS_IGNORE)                                              \
        struct apet_request *messages = apet_enter() ? apet_neighbours(comm, sizes, 0) : NULL;                         \
        if (messages)                                                                                                  \
            apet_post(messages);                                                                                       \
        BLOCKING(name, iname, A(arguments))                                                                            \
        if (messages)                                                                                                  \
            apet_all_done(&messages, 1, NULL);                                                                         \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#define INEAR(iname, parameters, arguments, sizes)                                                                     \
    int CALL(iname) parameters                                                                                         \
    {                                                                                                                  \
        struct apet_request *messages = apet_enter() ? apet_neighbours(comm, sizes, 0) : NULL;                         \
        if (messages)                                                                                                  \
            apet_post(messages);                                                                                       \
        int code = PCALL(iname) arguments;                                                                             \
        if (messages)                                                                                                  \
            apet_name(messages, request);                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#if MPI_VERSION >= 4
#define AGAIN(name, parameters, arguments, write)                                                                      \
    int CALL(name##_init) parameters                                                                                   \
    {                                                                                                                  \
        immediate = 1;                                                                                                 \
        long line = apet_enter() ? write : -1;                                                                         \
        immediate = 0;                                                                                                 \
        int code = PCALL(name##_init) arguments;                                                                       \
        if (line >= 0)                                                                                                 \
            keep_line(line, request);                                                                                  \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#define NEAR_AGAIN(name, parameters, arguments, sizes)                                                                 \
    int CALL(name##_init) parameters                                                                                   \
    {                                                                                                                  \
        struct apet_request *messages = apet_enter() ? apet_neighbours(comm, sizes, 1) : NULL;                         \
        int code = PCALL(name##_init) arguments;                                                                       \
        if (messages)                                                                                                  \
            apet_name(messages, request);                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }
#else
#define AGAIN(name, parameters, arguments, write)
#define NEAR_AGAIN(name, parameters, arguments, sizes)
#endif

/* Parameters that several calls have, and their names. */
#define EQUAL_BLOCKS const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type
#define EQUAL_NAMES out, sent, out_type, in, received, in_type
#define GATHERED_BLOCKS                                                                                                \
    const void *out, COUNT sent, MPI_Datatype out_type, void *in, EACH each, PLACES places, MPI_Datatype in_type
#define GATHERED_NAMES out, sent, out_type, in, each, places, in_type
#define EXCHANGED                                                                                                      \
    const void *out, EACH given, PLACES from, MPI_Datatype out_type, void *in, EACH taken, PLACES to, MPI_Datatype in_type
#define EXCHANGED_NAMES out, given, from, out_type, in, taken, to, in_type
#define REDUCED_DATA const void *out, void *in, COUNT count, MPI_Datatype type, MPI_Op op
#define REDUCED_NAMES out, in, count, type, op

#include "narrow.h"
FORMS(Barrier, Ibarrier, BARRIER, A(comm), MPI_Comm comm)
#include "collective_calls.h"
#if MPI_VERSION >= 4
#include "wide.h"
#include "collective_calls.h"
#endif

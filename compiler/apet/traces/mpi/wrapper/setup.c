/* Beginning, end, and the making of communicators. */
#define _GNU_SOURCE
#include "trace.h"

#include <stdlib.h>

static void begin(void)
{
    const char *folder = getenv("APET_TRACE_FOLDER");
    apet_world();
    apet_open(folder ? folder : ".", apet_rank);
    apet_begin("init");
    apet_end();
    apet_start(getenv("APET_TRACE_VOLUMES"));
    apet_about(0);
}

int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    begin();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int most = required > MPI_THREAD_SERIALIZED ? MPI_THREAD_SERIALIZED : required;
    int code = PMPI_Init_thread(argc, argv, most, provided);
    begin();
    return code;
}

int MPI_Finalize(void)
{
    if (apet_enter()) {
        apet_begin_action("finalize", 0);
        apet_end();
        apet_close();
    }
    return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code)
{
    apet_enter();
    return PMPI_Abort(comm, code);
}

#define MAKING(name, parameters, arguments)                                                                            \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        int code = PMPI_##name arguments;                                                                              \
        if (first && code == MPI_SUCCESS)                                                                              \
            apet_made(*made);                                                                                          \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

MAKING(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKING(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
MAKING(Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm *made), (comm, colour, key, made))
MAKING(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
       (comm, type, key, info, made))
MAKING(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
MAKING(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made))
MAKING(Cart_create,
       (MPI_Comm comm, int dimensions, const int *sizes, const int *periods, int reorder, MPI_Comm *made),
       (comm, dimensions, sizes, periods, reorder, made))
MAKING(Cart_sub, (MPI_Comm comm, const int *kept, MPI_Comm *made), (comm, kept, made))
MAKING(Graph_create, (MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made),
       (comm, nodes, index, edges, reorder, made))
MAKING(Dist_graph_create_adjacent,
       (MPI_Comm comm, int inputs, const int *sources, const int *weights, int outputs, const int *targets,
        const int *more, MPI_Info info, int reorder, MPI_Comm *made),
       (comm, inputs, sources, weights, outputs, targets, more, info, reorder, made))
MAKING(Dist_graph_create,
       (MPI_Comm comm, int count, const int *sources, const int *degrees, const int *targets, const int *weights,
        MPI_Info info, int reorder, MPI_Comm *made),
       (comm, count, sources, degrees, targets, weights, info, reorder, made))
MAKING(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *made),
       (local, leader, peer, remote, tag, made))
MAKING(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))

/* What moves data and has no place in a trace: counted, so that it can be said. */
#define UNSAID(name, parameters, arguments, what)                                                                      \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        if (apet_enter())                                                                                              \
            apet_note(what);                                                                                           \
        int code = PMPI_##name arguments;                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

UNSAID(Put,
       (const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype as, MPI_Win win),
       (from, count, type, rank, at, there, as, win), "one-sided transfers left out")
UNSAID(Get, (void *to, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype as, MPI_Win win),
       (to, count, type, rank, at, there, as, win), "one-sided transfers left out")
UNSAID(Accumulate,
       (const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype as, MPI_Op op,
        MPI_Win win),
       (from, count, type, rank, at, there, as, op, win), "one-sided transfers left out")
UNSAID(Win_fence, (int assert, MPI_Win win), (assert, win), "fences of windows left out")
UNSAID(Neighbor_alltoall,
       (const void *out, int sent, MPI_Datatype type, void *in, int received, MPI_Datatype as, MPI_Comm comm),
       (out, sent, type, in, received, as, comm), "neighbourhood collectives left out")
UNSAID(Neighbor_allgather,
       (const void *out, int sent, MPI_Datatype type, void *in, int received, MPI_Datatype as, MPI_Comm comm),
       (out, sent, type, in, received, as, comm), "neighbourhood collectives left out")
UNSAID(Neighbor_alltoallv,
       (const void *out, const int *sent, const int *from, MPI_Datatype type, void *in, const int *received,
        const int *to, MPI_Datatype as, MPI_Comm comm),
       (out, sent, from, type, in, received, to, as, comm), "neighbourhood collectives left out")

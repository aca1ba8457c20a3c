/* Beginning, end, and the making of communicators. */
#define _GNU_SOURCE
#include "trace.h"

#include <stdlib.h>

static int recording, sessions;

static void begin(MPI_Comm everybody)
{
    MPI_Comm parent = MPI_COMM_NULL;
    if (everybody == MPI_COMM_WORLD)
        PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        apet_off(); /* its ranks are numbered as those of the program that started it */
        return;
    }
    const char *folder = getenv("APET_TRACE_FOLDER");
    apet_patient = getenv("APET_TRACE_PATIENT") != NULL;
    recording = 1;
    apet_world(everybody);
    apet_open(folder ? folder : ".", apet_rank);
    apet_begin("init");
    apet_end();
    apet_start(getenv("APET_TRACE_VOLUMES"));
    apet_about(0);
}

static void finish(void)
{
    apet_settle();
    apet_judge();
    apet_begin_action("finalize", 0);
    apet_end();
    apet_close();
    recording = 0;
}

int MPI_Init(int *argc, char ***argv)
{
    apet_enter();
    int code = PMPI_Init(argc, argv);
    if (!recording)
        begin(MPI_COMM_WORLD);
    apet_leave();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    apet_enter();
    int code = PMPI_Init_thread(argc, argv, required, provided);
    apet_threads(0, *provided == MPI_THREAD_MULTIPLE);
    if (!recording)
        begin(MPI_COMM_WORLD);
    apet_leave();
    return code;
}

int MPI_Finalize(void)
{
    if (apet_enter() && recording && !sessions)
        finish();
    int code = PMPI_Finalize();
    apet_leave();
    return code;
}

#if MPI_VERSION >= 4
/* Without MPI_Init there is no MPI_COMM_WORLD: the first session of each rank makes a communicator like it. */
static MPI_Comm everybody_of(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm;
    PMPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    PMPI_Comm_create_from_group(group, "org.apet.everybody", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    PMPI_Group_free(&group);
    return comm;
}

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    int first = apet_enter();
    int code = PMPI_Session_init(info, handler, session);
    if (first && code == MPI_SUCCESS && (!recording || sessions)) {
        sessions++;
        if (!recording)
            begin(everybody_of(*session));
    }
    apet_leave();
    return code;
}

int MPI_Session_finalize(MPI_Session *session)
{
    if (apet_enter() && sessions && --sessions == 0) {
        MPI_Comm everybody = apet_everybody;
        finish();
        PMPI_Comm_free(&everybody);
    }
    int code = PMPI_Session_finalize(session);
    apet_leave();
    return code;
}
#endif

/* A copy that is made meanwhile: what tells its messages apart is agreed meanwhile, too. */
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
    struct apet_request *kept = NULL;
    if (apet_enter() && !apet_group(comm)->outside) {
        kept = apet_new(APET_COPIES, MPI_COMM_NULL, 0, 0, 0, 0);
        kept->agreed = apet_agree(comm, &kept->id);
        kept->copy = made;
    }
    int code = PMPI_Comm_idup(comm, made, request);
    if (kept) {
        apet_name(kept, request);
        apet_post(kept);
    }
    apet_leave();
    return code;
}

int MPI_Abort(MPI_Comm comm, int code)
{
    apet_enter();
    apet_about(0);
    apet_close_sites();
    return PMPI_Abort(comm, code);
}

#define MAKING(name, parameters, arguments)                                                                            \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        apet_turn(0);                                                                                                  \
        int code = PMPI_##name arguments;                                                                              \
        apet_turn(1);                                                                                                  \
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
#if MPI_VERSION >= 4
MAKING(Comm_create_from_group,
       (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
       (group, tag, info, handler, made))
#endif
MAKING(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))


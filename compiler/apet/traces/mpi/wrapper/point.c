/* Messages from rank to rank. */
#include "trace.h"

static void start(MPI_Request *request)
{
    struct apet_request *known = apet_find(request);
    if (known && known->partitions)
        known->ready = 0; /* its message is sent when all of its partitions are ready */
    else if (known)
        apet_post(known);
}

int MPI_Start(MPI_Request *request)
{
    if (apet_enter())
        start(request);
    int code = PMPI_Start(request);
    apet_leave();
    return code;
}

int MPI_Startall(int count, MPI_Request requests[])
{
    int first = apet_enter();
    for (int k = 0; first && k < count; k++)
        start(requests + k);
    int code = PMPI_Startall(count, requests);
    apet_leave();
    return code;
}

/* A message that was found by a probe is received from where it is known to come. */
enum { PROBED = 256 };
static struct probed {
    int used, source, tag;
    MPI_Message message;
    MPI_Comm comm;
} found[PROBED];

static void remember(MPI_Message message, MPI_Comm comm, const MPI_Status *status)
{
    for (int k = 0; message != MPI_MESSAGE_NO_PROC && k < PROBED; k++)
        if (!found[k].used) {
            found[k] = (struct probed){1, status->MPI_SOURCE, status->MPI_TAG, message, comm};
            return;
        }
    if (message != MPI_MESSAGE_NO_PROC)
        apet_note("receives of probed messages, too many at a time");
}

static struct probed recalled(MPI_Message message)
{
    for (int k = 0; k < PROBED; k++)
        if (found[k].used && found[k].message == message) {
            found[k].used = 0;
            return found[k];
        }
    return (struct probed){0, MPI_PROC_NULL, 0, message, MPI_COMM_NULL};
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    apet_enter();
    int code = PMPI_Improbe(source, tag, comm, flag, message, seen);
    if (*flag)
        remember(*message, comm, seen);
    apet_looked(*flag);
    apet_leave();
    return code;
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    int code = MPI_SUCCESS, flag = 0;
    apet_enter();
    if (!apet_patient)
        code = PMPI_Mprobe(source, tag, comm, message, seen);
    for (int tries = 0; apet_patient && code == MPI_SUCCESS && !flag; apet_rest(tries++))
        code = PMPI_Improbe(source, tag, comm, &flag, message, seen);
    remember(*message, comm, seen);
    apet_leave();
    return code;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    apet_enter();
    int code = PMPI_Iprobe(source, tag, comm, flag, status);
    apet_looked(*flag);
    apet_leave();
    return code;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    int code = MPI_SUCCESS, flag = 0;
    apet_enter();
    if (!apet_patient)
        code = PMPI_Probe(source, tag, comm, status);
    for (int tries = 0; apet_patient && code == MPI_SUCCESS && !flag; apet_rest(tries++))
        code = PMPI_Iprobe(source, tag, comm, &flag, status);
    apet_leave();
    return code;
}

/* Both directions at once: written as the two messages that it is, with their tags. */
static void exchange(MPI_Comm comm, int target, int send_tag, long long sent, int source, long long received,
                     const MPI_Status *status)
{
    const struct apet_group *group = apet_group(comm);
    if (!apet_recorded(comm, target) || !apet_recorded(comm, source)) {
        apet_send_line("send", comm, target, send_tag, sent);
        if (source != MPI_PROC_NULL)
            apet_receive_line("recv", comm, status, received);
        return;
    }
    int from = apet_peer(group, status->MPI_SOURCE), to = apet_peer(group, target);
    int here = apet_tag(group, status->MPI_TAG), there = apet_tag(group, send_tag);
    if (from == apet_rank && to == apet_rank)
        return;
    apet_begin_action("irecv", 0);
    apet_number(from), apet_number(here), apet_number(received), apet_text(" 6"), apet_end();
    apet_begin_action("isend", 0);
    apet_number(to), apet_number(there), apet_number(sent), apet_text(" 6"), apet_end();
    if (apet_outstanding() == 0) {
        apet_begin_action("waitall", 0);
        apet_number(2), apet_end();
        return;
    }
    apet_begin_action("wait", 0);
    apet_number(apet_rank), apet_number(to), apet_number(there), apet_end();
    apet_begin_action("wait", 0);
    apet_number(from), apet_number(apet_rank), apet_number(here), apet_end();
}

#if MPI_VERSION >= 4
/* One request that stands for two messages. */
static void both_ways(MPI_Request *request, MPI_Comm comm, int target, int send_tag, long long sent, int source,
                      int tag, long long received)
{
    struct apet_request *both = apet_keep(request, APET_SEVERAL, comm, 0, 0, 0, 0);
    if (apet_recorded(comm, source))
        apet_add(both, apet_new(APET_RECEIVES, comm, source, tag, received, 0));
    if (apet_recorded(comm, target))
        apet_add(both, apet_new(APET_SENDS, comm, target, send_tag, sent, 0));
    apet_post(both);
}

/* A message in partitions is one message, sent when the last of them is ready. */
int MPI_Psend_init(const void *buffer, int partitions, MPI_Count count, MPI_Datatype type, int peer, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    int first = apet_enter();
    int code = PMPI_Psend_init(buffer, partitions, count, type, peer, tag, comm, info, request);
    if (first && apet_recorded(comm, peer))
        apet_keep(request, APET_SENDS, comm, peer, tag, partitions * apet_bytes(count, type), 1)->partitions =
            partitions;
    apet_leave();
    return code;
}

int MPI_Precv_init(void *buffer, int partitions, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request)
{
    int first = apet_enter();
    int code = PMPI_Precv_init(buffer, partitions, count, type, peer, tag, comm, info, request);
    if (first && apet_recorded(comm, peer))
        apet_keep(request, APET_RECEIVES, comm, peer, tag, partitions * apet_bytes(count, type), 1);
    apet_leave();
    return code;
}

static void ready(MPI_Request request, int more)
{
    struct apet_request *known = apet_find(&request);
    if (known && (known->ready += more) == known->partitions)
        apet_post(known);
}

/* Some headers lack the const of the standard in one of them: its name is given to the linker alone. */
int apet_pready_list(int length, const int partitions[], MPI_Request request) __asm__("MPI_Pready_list");
#define READY(name, real, more, arguments, ...)                                                                        \
    int name(__VA_ARGS__, MPI_Request request)                                                                         \
    {                                                                                                                  \
        if (apet_enter())                                                                                              \
            ready(request, more);                                                                                      \
        int code = real(arguments, request);                                                                           \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

READY(MPI_Pready, PMPI_Pready, 1, partition, int partition)
READY(MPI_Pready_range, PMPI_Pready_range, high - low + 1, A(low, high), int low, int high)
READY(apet_pready_list, PMPI_Pready_list, length, A(length, (int *)partitions), int length, const int partitions[])
#endif

#include "narrow.h"
#include "point_calls.h"
#if MPI_VERSION >= 4
#include "wide.h"
#include "point_calls.h"
#endif

/* Messages from rank to rank. */
#include "trace.h"

#define SENDING(name, action)                                                                                          \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)                 \
    {                                                                                                                  \
        if (apet_enter())                                                                                              \
            apet_send_line(action, comm, peer, tag, apet_bytes(count, type));                                          \
        int code = PMPI_##name(buffer, count, type, peer, tag, comm);                                                  \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

SENDING(Send, "send")
SENDING(Bsend, "send")
SENDING(Rsend, "send")
SENDING(Ssend, "Ssend")

#define STARTING(name, constant, the_kind, is_synchronous)                                                                  \
    int MPI_##name(constant void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,              \
                   MPI_Request *request)                                                                               \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        int code = PMPI_##name(buffer, count, type, peer, tag, comm, request);                                         \
        if (first && peer != MPI_PROC_NULL) {                                                                          \
            struct apet_request *kept = apet_keep(request, the_kind, comm, peer, tag, apet_bytes(count, type), 0);     \
            kept->synchronous = is_synchronous;                                                                        \
            apet_post(kept);                                                                                           \
        }                                                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

STARTING(Isend, const, APET_SENDS, 0)
STARTING(Ibsend, const, APET_SENDS, 0)
STARTING(Irsend, const, APET_SENDS, 0)
STARTING(Issend, const, APET_SENDS, 1)
STARTING(Irecv, , APET_RECEIVES, 0)

#define PERSISTENT(name, constant, the_kind, is_synchronous)                                                           \
    int MPI_##name(constant void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,              \
                   MPI_Request *request)                                                                               \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        int code = PMPI_##name(buffer, count, type, peer, tag, comm, request);                                         \
        if (first && peer != MPI_PROC_NULL)                                                                            \
            apet_keep(request, the_kind, comm, peer, tag, apet_bytes(count, type), 1)->synchronous = is_synchronous;   \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

PERSISTENT(Send_init, const, APET_SENDS, 0)
PERSISTENT(Bsend_init, const, APET_SENDS, 0)
PERSISTENT(Rsend_init, const, APET_SENDS, 0)
PERSISTENT(Ssend_init, const, APET_SENDS, 1)
PERSISTENT(Recv_init, , APET_RECEIVES, 0)

int MPI_Start(MPI_Request *request)
{
    int first = apet_enter();
    struct apet_request *known = first ? apet_find(request) : NULL;
    if (known)
        apet_post(known);
    int code = PMPI_Start(request);
    apet_leave();
    return code;
}

int MPI_Startall(int count, MPI_Request requests[])
{
    int first = apet_enter();
    for (int k = 0; first && k < count; k++) {
        struct apet_request *known = apet_find(requests + k);
        if (known)
            apet_post(known);
    }
    int code = PMPI_Startall(count, requests);
    apet_leave();
    return code;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    int first = apet_enter(), wild = source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
    if (first && !wild)
        apet_send_line("recv", comm, source, tag, apet_bytes(count, type));
    int code = PMPI_Recv(buffer, count, type, source, tag, comm, seen);
    if (first && wild && code == MPI_SUCCESS)
        apet_receive_line("recv", comm, seen, apet_bytes(count, type));
    apet_leave();
    return code;
}

/* A message that was found by a probe is received from where it is known to come. */
static struct { MPI_Message message; MPI_Comm comm; } found[256];

static void remember(MPI_Message message, MPI_Comm comm)
{
    for (int k = 0; message != MPI_MESSAGE_NO_PROC && k < 256; k++)
        if (found[k].comm == 0 || found[k].message == message) {
            found[k].message = message;
            found[k].comm = comm;
            return;
        }
}

static MPI_Comm recalled(MPI_Message message)
{
    for (int k = 0; k < 256; k++)
        if (found[k].comm != 0 && found[k].message == message)
            return found[k].comm;
    return MPI_COMM_WORLD;
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    apet_enter();
    int code = PMPI_Mprobe(source, tag, comm, message, status);
    remember(*message, comm);
    apet_leave();
    return code;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    apet_enter();
    int code = PMPI_Improbe(source, tag, comm, flag, message, status);
    if (*flag)
        remember(*message, comm);
    apet_leave();
    return code;
}

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    int first = apet_enter();
    MPI_Comm comm = recalled(*message);
    int code = PMPI_Mrecv(buffer, count, type, message, seen);
    if (first)
        apet_receive_line("recv", comm, seen, apet_bytes(count, type));
    apet_leave();
    return code;
}

int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    int first = apet_enter();
    MPI_Comm comm = recalled(*message);
    int code = PMPI_Imrecv(buffer, count, type, message, request);
    if (first)
        apet_post(apet_keep(request, APET_RECEIVES, comm, MPI_ANY_SOURCE, MPI_ANY_TAG, apet_bytes(count, type), 0));
    apet_leave();
    return code;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    apet_enter();
    int code = PMPI_Probe(source, tag, comm, status);
    apet_leave();
    return code;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    apet_enter();
    int code = PMPI_Iprobe(source, tag, comm, flag, status);
    apet_leave();
    return code;
}

/* Both directions at once: written as the two messages that it is, with their tags. */
static int exchange(MPI_Comm comm, int target, int send_tag, long long sent, int source, int tag, long long received,
                    const MPI_Status *status)
{
    const struct apet_group *group = apet_group(comm);
    if (target == MPI_PROC_NULL || source == MPI_PROC_NULL) {
        apet_send_line("send", comm, target, send_tag, sent);
        if (source != MPI_PROC_NULL)
            apet_receive_line("recv", comm, status, received);
        return 0;
    }
    int from = apet_peer(group, status->MPI_SOURCE), to = apet_peer(group, target);
    int here = apet_tag(group, status->MPI_TAG), there = apet_tag(group, send_tag);
    if (from == apet_rank && to == apet_rank)
        return 0;
    (void)tag;
    apet_begin_action("irecv", 0);
    apet_number(from), apet_number(here), apet_number(received), apet_text(" 6"), apet_end();
    apet_begin_action("isend", 0);
    apet_number(to), apet_number(there), apet_number(sent), apet_text(" 6"), apet_end();
    if (apet_outstanding() == 0) {
        apet_begin_action("waitall", 0);
        apet_number(2), apet_end();
        return 0;
    }
    apet_begin_action("wait", 0);
    apet_number(apet_rank), apet_number(to), apet_number(there), apet_end();
    apet_begin_action("wait", 0);
    apet_number(from), apet_number(apet_rank), apet_number(here), apet_end();
    return 0;
}

int MPI_Sendrecv(const void *out, int sent, MPI_Datatype out_type, int target, int send_tag, void *in, int received,
                 MPI_Datatype in_type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    int first = apet_enter();
    int code = PMPI_Sendrecv(out, sent, out_type, target, send_tag, in, received, in_type, source, tag, comm, seen);
    if (first && code == MPI_SUCCESS)
        exchange(comm, target, send_tag, apet_bytes(sent, out_type), source, tag, apet_bytes(received, in_type), seen);
    apet_leave();
    return code;
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int target, int send_tag, int source, int tag,
                         MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    long long bytes = apet_bytes(count, type);
    int first = apet_enter();
    int code = PMPI_Sendrecv_replace(buffer, count, type, target, send_tag, source, tag, comm, seen);
    if (first && code == MPI_SUCCESS)
        exchange(comm, target, send_tag, bytes, source, tag, bytes, seen);
    apet_leave();
    return code;
}

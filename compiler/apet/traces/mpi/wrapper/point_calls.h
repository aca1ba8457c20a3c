/* Messages from rank to rank whose calls have counts: for counts of both types. */
#define SENDING(name, immediate, action)                                                                               \
    int CALL(name)(const void *buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)               \
    {                                                                                                                  \
        MPI_Request request;                                                                                           \
        int code;                                                                                                      \
        IN_HALVES(half, CALL(immediate)(buffer, count, type, peer, tag, comm, &half), MPI_STATUS_IGNORE)               \
        if (apet_enter())                                                                                              \
            apet_send_line(action, comm, peer, tag, apet_bytes(count, type));                                          \
        if (apet_patient) {                                                                                            \
            code = PCALL(immediate)(buffer, count, type, peer, tag, comm, &request);                                   \
            code = code == MPI_SUCCESS ? apet_await(&request, MPI_STATUS_IGNORE) : code;                               \
        } else {                                                                                                       \
            code = PCALL(name)(buffer, count, type, peer, tag, comm);                                                  \
        }                                                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

SENDING(Send, Isend, "send")
SENDING(Bsend, Ibsend, "send")
SENDING(Rsend, Irsend, "send")
SENDING(Ssend, Issend, "Ssend")

#define STARTING(name, constant, the_kind, is_synchronous, persistent)                                                 \
    int CALL(name)(constant void *buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,            \
                   MPI_Request *request)                                                                               \
    {                                                                                                                  \
        int first = apet_enter();                                                                                      \
        int code = PCALL(name)(buffer, count, type, peer, tag, comm, request);                                         \
        if (first && apet_recorded(comm, peer)) {                                                                      \
            long long bytes = apet_bytes(count, type);                                                                 \
            struct apet_request *kept = apet_keep(request, the_kind, comm, peer, tag, bytes, persistent);              \
            kept->synchronous = is_synchronous;                                                                        \
            if (!persistent)                                                                                           \
                apet_post(kept);                                                                                       \
        }                                                                                                              \
        apet_leave();                                                                                                  \
        return code;                                                                                                   \
    }

STARTING(Isend, const, APET_SENDS, 0, 0)
STARTING(Ibsend, const, APET_SENDS, 0, 0)
STARTING(Irsend, const, APET_SENDS, 0, 0)
STARTING(Issend, const, APET_SENDS, 1, 0)
STARTING(Irecv, , APET_RECEIVES, 0, 0)
STARTING(Send_init, const, APET_SENDS, 0, 1)
STARTING(Bsend_init, const, APET_SENDS, 0, 1)
STARTING(Rsend_init, const, APET_SENDS, 0, 1)
STARTING(Ssend_init, const, APET_SENDS, 1, 1)
STARTING(Recv_init, , APET_RECEIVES, 0, 1)

int CALL(Recv)(void *buffer, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    MPI_Request request;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    IN_HALVES(half, CALL(Irecv)(buffer, count, type, source, tag, comm, &half), status)
    int code, first = apet_enter(), wild = source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
    if (first && !wild)
        apet_send_line("recv", comm, source, tag, apet_bytes(count, type));
    if (apet_patient) {
        code = PCALL(Irecv)(buffer, count, type, source, tag, comm, &request);
        code = code == MPI_SUCCESS ? apet_await(&request, seen) : code;
    } else {
        code = PCALL(Recv)(buffer, count, type, source, tag, comm, seen);
    }
    if (first && wild && code == MPI_SUCCESS)
        apet_receive_line("recv", comm, seen, apet_bytes(count, type));
    apet_leave();
    return code;
}

int CALL(Mrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    int first = apet_enter();
    struct probed from = recalled(*message);
    int code = PCALL(Mrecv)(buffer, count, type, message, status);
    if (first)
        apet_send_line("recv", from.comm, from.source, from.tag, apet_bytes(count, type));
    apet_leave();
    return code;
}

int CALL(Imrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    int first = apet_enter();
    struct probed from = recalled(*message);
    int code = PCALL(Imrecv)(buffer, count, type, message, request);
    if (first && apet_recorded(from.comm, from.source))
        apet_post(
            apet_keep(request, APET_RECEIVES, from.comm, from.source, from.tag, apet_bytes(count, type), 0));
    apet_leave();
    return code;
}

int CALL(Sendrecv)(const void *out, COUNT sent, MPI_Datatype out_type, int target, int send_tag, void *in,
                   COUNT received, MPI_Datatype in_type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    MPI_Request requests[2], out_half;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    IN_HALVES(in_half, (CALL(Irecv)(in, received, in_type, source, tag, comm, &in_half),
                        CALL(Isend)(out, sent, out_type, target, send_tag, comm, &out_half),
                        MPI_Wait(&out_half, MPI_STATUS_IGNORE)), status)
    int code, first = apet_enter();
    if (apet_patient) {
        PCALL(Irecv)(in, received, in_type, source, tag, comm, requests);
        PCALL(Isend)(out, sent, out_type, target, send_tag, comm, requests + 1);
        code = apet_await(requests + 1, MPI_STATUS_IGNORE);
        code = code == MPI_SUCCESS ? apet_await(requests, seen) : code;
    } else {
        code = PCALL(Sendrecv)(out, sent, out_type, target, send_tag, in, received, in_type, source, tag, comm, seen);
    }
    if (first && code == MPI_SUCCESS)
        exchange(comm, target, send_tag, apet_bytes(sent, out_type), source, apet_bytes(received, in_type), seen);
    apet_leave();
    return code;
}

int CALL(Sendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int target, int send_tag, int source, int tag,
                           MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    long long bytes = apet_bytes(count, type);
    int first = apet_enter();
    int code = PCALL(Sendrecv_replace)(buffer, count, type, target, send_tag, source, tag, comm, seen);
    if (first && code == MPI_SUCCESS)
        exchange(comm, target, send_tag, bytes, source, bytes, seen);
    apet_leave();
    return code;
}

#if MPI_VERSION >= 4
int CALL(Isendrecv)(const void *out, COUNT sent, MPI_Datatype out_type, int target, int send_tag, void *in,
                    COUNT received, MPI_Datatype in_type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    int first = apet_enter();
    int code = PCALL(Isendrecv)(out, sent, out_type, target, send_tag, in, received, in_type, source, tag, comm,
                                request);
    if (first)
        both_ways(request, comm, target, send_tag, apet_bytes(sent, out_type), source, tag,
                  apet_bytes(received, in_type));
    apet_leave();
    return code;
}

int CALL(Isendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int target, int send_tag, int source,
                            int tag, MPI_Comm comm, MPI_Request *request)
{
    long long bytes = apet_bytes(count, type);
    int first = apet_enter();
    int code = PCALL(Isendrecv_replace)(buffer, count, type, target, send_tag, source, tag, comm, request);
    if (first)
        both_ways(request, comm, target, send_tag, bytes, source, tag, bytes);
    apet_leave();
    return code;
}
#endif
#undef SENDING
#undef STARTING
#undef PERSISTENT

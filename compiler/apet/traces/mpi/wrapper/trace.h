/* The recorder of MPI calls: what its parts offer each other. Ranks below are those of MPI_COMM_WORLD. */
#ifndef APET_TRACE_H
#define APET_TRACE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* output.c: a rank's file, mapped, so that what was written survives a crash. */
void apet_open(const char *folder, int rank);
void apet_close(void);
void apet_about(int complete);             /* say how the file was made */
long apet_begin(const char *action);      /* the place of the line */
void apet_number(long long value);
long apet_hole(void);                     /* the place of a number that is not known yet */
void apet_fill(long place, long long value);
void apet_text(const char *text);
void apet_end(void);
void apet_strike(long place);             /* turn a line into a comment */
void apet_note(const char *what);         /* count something that a trace cannot say */

/* volume.c: what was computed since the last call. */
void apet_start(const char *wanted);
const char *apet_volume_name(void);
int apet_enter(void);                     /* 1 where the program itself calls, 0 inside of MPI */
void apet_leave(void);
long long apet_pending(void);             /* computed and not yet written; then 0 */
long long apet_nanoseconds(void);         /* of CPU time since the start */

/* communicators.c */
struct apet_group {
    int id, size, all, inter;             /* all: every rank, in order */
    int *ranks;                           /* of the remote group of an intercommunicator */
    char *comment;
};
extern int apet_rank, apet_size;
void apet_world(void);
const struct apet_group *apet_group(MPI_Comm comm);
void apet_made(MPI_Comm comm);
int apet_peer(const struct apet_group *group, int rank);
int apet_tag(const struct apet_group *group, int tag);

/* requests.c */
enum apet_kind { APET_SENDS, APET_RECEIVES, APET_COLLECTIVE };
struct apet_request {
    uint64_t handle;
    const void *address;
    enum apet_kind kind;
    int persistent, synchronous, active, peer, tag, count_of_key;
    MPI_Comm comm;
    const struct apet_group *group;
    long long bytes;
    long line, source_hole, tag_hole;
    struct apet_request *next, *older, *newer;
};
struct apet_request *apet_keep(MPI_Request *request, enum apet_kind kind, MPI_Comm comm, int peer, int tag,
                               long long bytes, int persistent);
void apet_post(struct apet_request *request);
void apet_begun(MPI_Request *request, int kind); /* a non-blocking collective, by the tag of waits for its kind */
struct apet_request *apet_find(const MPI_Request *request);
void apet_done(struct apet_request *request, const MPI_Status *status, int silent);
void apet_drop(struct apet_request *request);
void apet_lose(struct apet_request *request);
int apet_outstanding(void);
int apet_is_wild(const struct apet_request *request);
MPI_Status *apet_statuses(int count);
struct apet_request **apet_list(const MPI_Request *requests, int count);

/* What most calls share. */
long long apet_bytes(long long count, MPI_Datatype type);
void apet_send_line(const char *action, MPI_Comm comm, int peer, int tag, long long bytes);
void apet_receive_line(const char *action, MPI_Comm comm, const MPI_Status *status, long long bytes);
void apet_begin_action(const char *action, long *line);

#endif

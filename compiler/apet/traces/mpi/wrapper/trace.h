/* The recorder of MPI calls: what its parts offer each other. Ranks below are those of MPI_COMM_WORLD. */
#ifndef APET_TRACE_H
#define APET_TRACE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#define A(...) __VA_ARGS__ /* one argument of a macro that has commas */

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
char *apet_cut(long place);               /* take back what was written from a place on: it is the caller's */
void apet_note(const char *what);         /* count something that a trace cannot say */

/* volume.c: what was computed since the last call. */
void apet_start(const char *wanted);
const char *apet_volume_name(void);
int apet_enter_from(const void *caller);  /* 1 where the program itself calls, 0 inside of MPI */
#define apet_enter() apet_enter_from(__builtin_return_address(0))
void apet_leave(void);
void apet_off(void);                      /* record nothing, as all those that are started at run time */
extern __thread int apet_first_thread;    /* the one that called MPI_Init */
extern int apet_threaded;                 /* whether several threads call MPI at once */
extern __thread const void *apet_caller;  /* of a call whose halves are calls of ours */
void apet_threads(int made, int multiple);
/* A blocking call as its two halves, so that lines of other threads may lie between them. */
#define IN_HALVES(half, begin, status)                                                                                 \
    if (apet_threaded && !apet_is_inside()) {                                                                          \
        MPI_Request half;                                                                                              \
        apet_caller = __builtin_return_address(0);                                                                     \
        int begun = begin, ended = begun == MPI_SUCCESS ? MPI_Wait(&half, status) : begun;                             \
        apet_caller = NULL;                                                                                            \
        return ended;                                                                                                  \
    }
void apet_turn(int begins);               /* one thread at a time calls, but for while it waits */
long long apet_pending_sleep(void);       /* nanoseconds that libraries computed since they were asked for */
void apet_judge(void);                    /* note if counted blocks cannot be all that was computed */
int apet_is_inside(void);                 /* whether MPI, or the recorder, is at work */
long long apet_pending(void);             /* computed and not yet written; then 0 */
long long apet_nanoseconds(void);         /* of CPU time since the start */

/* sites.c */
void apet_open_sites(const char *folder, int rank);
void apet_close_sites(void);
void apet_called_from(const void *caller);
void apet_site_of_line(void);             /* a line ends that the present call makes */
void apet_take_back_line(void);

/* communicators.c */
struct apet_group {
    int id, size, all, inter;             /* all: every rank, in order */
    int outside;                          /* whether there are others in it than those of MPI_COMM_WORLD */
    int *ranks;                           /* of the remote group of an intercommunicator */
    char *comment;
};
extern int apet_rank, apet_size;
extern MPI_Comm apet_everybody;           /* MPI_COMM_WORLD, or its like where only sessions are open */
void apet_world(MPI_Comm everybody);
const struct apet_group *apet_group(MPI_Comm comm);
void apet_made(MPI_Comm comm);
MPI_Request apet_agree(MPI_Comm comm, int *id); /* on the number of a copy that is being made */
void apet_copied(MPI_Comm comm, int id);
int apet_recorded(MPI_Comm comm, int peer); /* whether messages from and to it are */
int apet_peer(const struct apet_group *group, int rank);
int apet_tag(const struct apet_group *group, int tag);

/* requests.c */
enum apet_kind { APET_SENDS, APET_RECEIVES, APET_COLLECTIVE, APET_SEVERAL, APET_COPIES };
struct apet_request {
    uint64_t handle;
    const void *address;
    enum apet_kind kind;
    int persistent, synchronous, active, peer, tag, count_of_key, cancelling;
    const struct apet_group *group;
    long long bytes;
    long line, source_hole, tag_hole;
    char *text;                           /* of a persistent collective: its line */
    struct apet_request **parts;          /* of one request that stands for several messages */
    int number, partitions, ready;        /* parts; of a partitioned send, how many it has, and are ready */
    MPI_Comm *copy;                       /* of a copy of a communicator: where it will be, and its number */
    MPI_Request agreed;
    int id;
    struct apet_skips **waits;            /* of a receive from anybody: waits for later ones, to be told its source */
    int waiting;
    struct apet_request *next, *older, *newer;
};
struct apet_request *apet_new(enum apet_kind kind, MPI_Comm comm, int peer, int tag, long long bytes, int persistent);
void apet_name(struct apet_request *kept, MPI_Request *request); /* by which handle it will be found */
struct apet_request *apet_keep(MPI_Request *request, enum apet_kind kind, MPI_Comm comm, int peer, int tag,
                               long long bytes, int persistent);
void apet_post(struct apet_request *request);
void apet_add(struct apet_request *several, struct apet_request *part);
void apet_begun(MPI_Request *request, int kind); /* a non-blocking collective, by the tag of waits for its kind */
struct apet_request *apet_find(const MPI_Request *request);
void apet_done(struct apet_request *request, const MPI_Status *status, int silent);
void apet_all_done(struct apet_request **known, int count, const MPI_Status *statuses);
void apet_drop(struct apet_request *request);
void apet_lose(struct apet_request *request);
void apet_settle(void);                   /* at the end: receives that were cancelled and never waited for */
int apet_outstanding(void);
int apet_is_wild(const struct apet_request *request);

/* skipping.c */
void apet_skip(const struct apet_request *request, struct apet_request *oldest, int peer, int tag);
void apet_tell(struct apet_request *request, int peer, int tag);

/* patient.c: waits that give the core to other ranks. */
extern int apet_patient;
int apet_await(MPI_Request *request, MPI_Status *status);
int apet_await_all(int count, MPI_Request *requests, MPI_Status *statuses);
int apet_await_any(int count, MPI_Request *requests, int *index, MPI_Status *status);
int apet_await_some(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
void apet_rest(int tries);                /* after so many looks in vain */
void apet_looked(int success);            /* the program itself looks for messages */

/* neighbours.c, onesided.c */
struct apet_sizes {                       /* counts by rank or one for all, of one or several types */
    const void *each;
    int wide;                             /* whether they are MPI_Count */
    long long same;
    MPI_Datatype type;
    const MPI_Datatype *types;
};
long long apet_size_of(const struct apet_sizes *sizes, int k);
struct apet_request *apet_neighbours(MPI_Comm comm, struct apet_sizes sent, struct apet_sizes received,
                                     int persistent);

/* io.c */
void apet_io_begin(void);
void apet_io_end(const char *what);

/* What most calls share. */
long long apet_bytes(long long count, MPI_Datatype type);
void apet_send_line(const char *action, MPI_Comm comm, int peer, int tag, long long bytes);
void apet_receive_line(const char *action, MPI_Comm comm, const MPI_Status *status, long long bytes);
void apet_compute(void);                  /* write what is pending */
void apet_begin_action(const char *action, long *line);

#endif

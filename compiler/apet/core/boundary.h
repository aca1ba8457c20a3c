/* All that Python sees of the core: structures of arrays that the caller owns, and functions.
 *
 * This file is included twice: as declarations (core.h), and as text (boundary.c), from which Python makes its structures
 * and the types of arguments when it loads the library. So nothing here is written down a second time. Each field of a
 * structure is an i64, a double, an int or a pointer. */

/* The platform, and where the results of a replay go. */
SHARED(Setting,
    i64 ranks, links, hosts, steps;
    const double *capacity;         /* by link: bytes per second */
    const i64 *shared;              /* by link: whether flows share it */
    const double *speed;            /* by host: flops per second */
    const i64 *cores, *place;       /* by host; by rank: its host */
    const double *threshold, *latency_factor, *bandwidth_factor; /* of `steps` thresholds, one more factor each */
    double *computed, *waited, *ends, *carried; /* by rank: seconds; by link: bytes */
    i64 *stands;                    /* by rank: its next operation, one more than all at its end */
    i64 *counts;                    /* actions, messages, bytes, segments, hungry rank, new pairs, operations held */
    i64 record;                     /* whether segments are kept */
    i64 header, eager;              /* bytes beside a message's payload; from how many on a send waits for its receiver */
    i64 small;                      /* from how many on a transfer begins when both sides are posted, not when it is sent */
    i64 send_steps, isend_steps, take_steps; /* of the overheads of a send that returns at once, of others, of a receive: */
    const double *send, *isend, *take; /* rows: bytes above which it holds, seconds, seconds per byte */
    i64 barrier, bcast, reduce, allreduce, allgather, alltoall, reduce_scatter; /* algorithms of collectives, 0: SMPI's */
    double window, weight_of_bandwidth, back; /* of the model of costs: bytes, bytes, share of the rate */
    double moment;                  /* seconds within which events are one moment */
)

/* Flat programs: operations, each `argument << SHIFT | code`. A group is a wait for some of several requests, each of
 * one or more messages. */
SHARED(Programs,
    i64 ranks, messages;
    const i64 *const *operations;   /* by rank */
    const i64 *lengths;
    const double *values;           /* flops or seconds, by argument */
    const i64 *pair, *size;         /* by message: pair of ranks, bytes */
    const unsigned char *early;     /* by message: whether its transfer begins when it is sent (NULL: none) */
    const double *take;             /* by message: seconds that its receiver needs at its end (NULL: none) */
    const i64 *source, *target;     /* by pair: ranks */
    i64 groups;
    const i64 *group_first, *group_needed; /* by group: its first request, how many must be done */
    const i64 *request_first, *request_message; /* by request: its first message; messages */
)

/* What links must carry, for early dates. */
SHARED(Loads,
    double moment;
    i64 syncs, links;
    const double *latency, *volume; /* by message: seconds, bytes over the factor */
    const i64 *own_first, *own_link; /* by pair: first and last link of its path ... */
    const double *own_each;         /* ... and seconds per byte over the factor */
    const i64 *first_use, *link;    /* by pair and one more: its uses of links */
    const double *share;            /* by use */
    const double *capacity;         /* by link */
    const i64 *shared;
    const int *stage, *ended, *seen; /* as in Known */
    i64 arrivals;                   /* messages over links of hosts with several ranks, in the order in which ... */
    const i64 *arrival, *arrives;   /* ... receivers know their end; by rank next to them and receiver: the first one */
)

/* What is known of other ranks when a message begins. */
SHARED(Known,
    const double *least, *latency, *volume; /* by message */
    const double *flop;             /* by rank: seconds per flop */
    const i64 *own_first, *own_link; /* by pair: first and last link of its path ... */
    const double *own_each;         /* ... and seconds per byte over the factor */
    double moment;
    const i64 *first;               /* by rank: its first stage, those of all ranks are numbered on */
    int *seen;                      /* by stage and rank */
    float *since;                   /* seconds since the stage that is seen began */
    double *begun;                  /* by stage: its rank's clock */
    int *stage;                     /* by message and side */
    int *ended;
)

/* Flows of a link in groups, and the amounts that are over before each and begin after it. */
SHARED(Apart,
    i64 flows, columns, ranks, groups;
    const i64 *message;             /* by flow */
    const double *amount;           /* by flow, rows */
    const i64 *first, *member, *sender, *receiver; /* by group */
    const int *seen, *stage, *ended; /* by stage and rank; by message and side */
    const float *since;
    const double *begun;            /* by stage */
    const double *latency, *begins, *ends, *after_sync, *until_sync, *most; /* by message */
    double *before, *after;         /* by flow, rows */
)

/* Chains of flows, of which the densest runs are looked for. */
SHARED(Dense,
    i64 flows, columns, chains, stretches;
    const i64 *first, *order;       /* by chain and one more: its flows, by position in the order; flows in order */
    const double *begins, *reach;   /* in this order */
    const double *amount, *stretch;
    double *densest;                /* by stretch and column */
)

/* What a link may hold back of each flow: pieces. */
SHARED(Held,
    i64 flows, kinds, columns;      /* columns of amounts: 1 + 2 kinds */
    i64 ratios;                     /* columns of `ratio` */
    double capacity, fits;
    const i64 *message;             /* by flow */
    const double *share, *ratio;
    const double *amount, *before, *after;
    const double *total, *rounding; /* by column */
    const double *at_once, *meanwhile; /* by column; NULL, or by step and column */
    const i64 *step;
    const double *rate;             /* by pair */
    const i64 *pair;                /* by message */
    i64 *held;                      /* pieces: message, bytes over the factor, seconds */
    double *volume, *seconds;
)

/* The critical path on its way forwards. */
SHARED(Critical,
    const double *duration, *slowness, *gap; /* by message, by rank, by synchronising collective and at the end */
    i64 syncs;
    double *date;                   /* by message: of its first post, then of its end */
    int *place;                     /* by message: the operations that post it at its source and at its target */
    unsigned char *later;           /* by message: where it is posted later */
    unsigned char *decides;         /* by operation, one rank after the other: whether it is what its rank waits for */
    const i64 *first;               /* by rank: its first operation among those */
    i64 *chosen;                    /* by group: the message that decides */
    double *now;                    /* by rank */
    double *mark;                   /* by collective, and at the end: the date before which no rank leaves it */
    int *mark_rank, *mark_place;    /* the operation that this date comes from; -1: the floor */
    i64 *entered;
)

/* What takes time: an operation of a rank, for a message its wait; it goes on from `origin`. A floor has rank -1. */
SHARED(Step,
    i64 what;
    int rank, place, origin;
)

/* A rank of a folded trace, as arrays that the caller has room for. */
SHARED(Columns,
    i64 *codes, *widths, *lines, *bases, *stepped, *steps, *counts;
    double *values;
)

/* Jobs with precedence that circulate over stations, and the state of their simulation. A station more than there are
 * holds jobs that think. Instances are job * tasks + task, the task counted from the first of its job's variant. */
SHARED(Circulating,
    i64 stations, classes, jobs, tasks; /* tasks: the most of any job */
    const i64 *discipline, *servers; /* by station */
    const i64 *shape, *order;       /* by distribution: kind, phases ... */
    const double *share;            /* ... and the share of short times ... */
    const i64 *value_first;         /* ... and one more: its times over their mean, all equally frequent */
    const double *values;
    const double *think;            /* by class: mean seconds */
    const i64 *think_shape;         /* by class: its distribution */
    const i64 *opened, *rank, *pool; /* by class: whether jobs come from outside; its rank; its pool, or NONE */
    i64 ranks, pools;               /* rank 0 is served first */
    const i64 *pool_size, *pool_backlog; /* by pool: jobs inside; jobs that wait for a place inside */
    const i64 *class_first;         /* by class and one more: its variants */
    const double *chance;           /* by variant: the probability of it or one before it */
    const i64 *variant_first;       /* by variant and one more: its tasks */
    const i64 *before;              /* by task: number of predecessors */
    const i64 *step_first, *after_first; /* by task and one more: its steps, its successors */
    const i64 *step_station, *step_shape; /* by step */
    const double *step_mean;        /* by step: seconds */
    const i64 *after;               /* successors */
    i64 room;                       /* tasks that a station may hold */
    i64 responses;                  /* response times of a class for which there is room */
    double *response;               /* by class and number: seconds */
    i64 *ended;                     /* by class: jobs since the caller last set it to 0 */
    double *task_seconds;           /* by task: from start to end, in all */
    i64 *task_count;                /* by task */
    i64 *random;                    /* four words, not all 0 */
    double now;                     /* seconds */
    i64 pushed;
    i64 overflow;                   /* jobs from outside for which there was no place in memory */
    i64 *spare, *refused;           /* by class: the first job that is not in use; jobs refused by the pool */
    double *outside;                /* by class: seconds that jobs have waited for a place in the pool, in all */
    i64 *pool_inside, *pool_waiting, *pool_first, *pool_last; /* by pool: jobs inside and outside, the line of these */
    i64 *next_job;                  /* by job: the next one of the spare ones, or in the line of the pool */
    i64 *rank_first, *rank_last;    /* by station and rank: the tasks that wait ... */
    i64 *link;                      /* ... by instance: the next one */
    i64 *owner, *variant, *left;    /* by job: class, variant, tasks that are not done */
    double *born;                   /* by job: seconds */
    i64 *missing, *step;            /* by instance: predecessors that are not done, step */
    double *began, *left_over;      /* by instance: start; seconds of demand of one that waits */
    i64 *ready;                     /* scratch: `tasks` tasks */
    i64 *serving, *waiting, *head;  /* by station: tasks in its heap, in its line, first place of the line */
    double *served, *last, *next;   /* by station: service given to a task always there; last and next change */
    double *work;                   /* by station: busy servers times seconds */
    i64 *inside;                    /* by class and station: tasks there ... */
    double *changed, *area;         /* ... since when; and tasks times seconds until then */
    double *key;                    /* by station and place in its heap: date, or service, at which a task ends */
    i64 *turn, *who, *line;         /* by station and place: order of coming, instance; instances that wait */
)

/* Layered queues, and the state of their simulation, beside that of stations. Processes are the jobs of `Circulating`,
 * tasks its classes, threads its instances, entries its tasks; requests are numbered by the thread that waits for the
 * answer, and beyond threads where none does. */
SHARED(Layers,
    i64 requests, nodes;
    const i64 *reference, *is_source; /* by task: the entry that it begins or sends to itself, or NONE; whether it sends */
    const i64 *is_unlimited;        /* by task: whether there is always a process */
    const i64 *task_of, *start;     /* by entry: its task, its first activity */
    const i64 *forward_first, *forward; /* by entry and one more: where answers are left to; entries ... */
    const double *forward_chance;   /* ... and the probability of this one or one before it */
    const i64 *station, *slice_shape; /* by activity: its processor; the distribution of slices between calls, ... */
    const double *slice, *pause;    /* ... their mean, and that of a pause before the first: seconds */
    const i64 *fixed, *replies, *after; /* by activity: whether calls are so many; if it answers; node behind it or NONE */
    const i64 *call_first, *called, *waits; /* by activity and one more: its calls; by call: entry, whether it waits ... */
    const double *calls;            /* ... and the mean number of this call and those before it */
    const i64 *is_choice, *needed, *node_first; /* by node: if one begins, not all; how many must end; what begins */
    const i64 *target;              /* activities ... */
    const double *chance;           /* ... and the probability of this one or one before it */
    i64 spare_request, agenda_size;
    i64 *agenda;                    /* threads that may go on */
    i64 *idle, *first, *last_of;    /* by task: processes that wait; the line of requests */
    i64 *present, *busy;            /* by task: requests there, processes in service ... */
    double *changed, *present_area, *busy_area; /* ... since when; and either times seconds until then */
    i64 *request, *live;            /* by process: what it serves, or NONE where that has its answer; threads */
    i64 *arrived;                   /* by process and node: activities that have ended */
    i64 *activity, *at, *made;      /* by thread: activity or NONE, where it is in it, calls that it has made */
    i64 *entry, *behind, *origin;   /* by request: entry, the next one in line, the task whose arrivals it counts for */
    double *sent, *born;            /* by request: when it came to this entry, and to the first */
)

/* Numbers that Python counts with as well: a test compares them. */
CONSTANT(SHIFT) CONSTANT(MASK)
CONSTANT(COMPUTE) CONSTANT(SLEEP) CONSTANT(SEND) CONSTANT(RECEIVE) CONSTANT(SENT) CONSTANT(RECEIVED) CONSTANT(ANY)
CONSTANT(ENTER) CONSTANT(LEAVE) CONSTANT(TAKE) CONSTANT(TAKES) CONSTANT(TAKEN)
CONSTANT(REPLAYING) CONSTANT(CHECKING) CONSTANT(KEEPING) CONSTANT(UNROLLING)
CONSTANT(ENDED) CONSTANT(FAILED) CONSTANT(HUNGRY)
CONSTANT(ACTIONS) CONSTANT(MESSAGES) CONSTANT(BYTES) CONSTANT(SEGMENTS) CONSTANT(HUNGRY_RANK) CONSTANT(NEW_PAIRS)
CONSTANT(HELD)

/* The replay (replay.c, paths.c, keeping.c, wildcards.c). `programs` NULL: operations come as text. */
FUNCTION(State *, apet_new, const Setting *setting, const Programs *programs)
FUNCTION(void, apet_free, State *s)
FUNCTION(i64, apet_feed, State *s, const char *text, i64 length)
FUNCTION(void, apet_complete, State *s, i64 rank)
FUNCTION(i64, apet_run, State *s)
FUNCTION(i64, apet_agree, const State *s)
FUNCTION(i64, apet_arrived, const State *s)
FUNCTION(void, apet_segments, const State *s, i64 *rank, i64 *computes, i64 *operation, double *begin, double *end)
FUNCTION(void, apet_new_pairs, const State *s, i64 *ends)
FUNCTION(i64, apet_routes, State *s, i64 number, const i64 *ends, const double *latency, const i64 *there,
         const i64 *forward, const i64 *back, const i64 *backward)
FUNCTION(void, apet_mode, State *s, i64 mode)
FUNCTION(i64, apet_last_action, const State *s, i64 *exceeded)
FUNCTION(i64, apet_match, State *s)
FUNCTION(i64, apet_unmatched, const State *s, i64 *rows)
FUNCTION(void, apet_totals, const State *s, i64 *counts)
FUNCTION(void, apet_flops, const State *s, double *flops)
FUNCTION(void, apet_kept, const State *s, i64 *counts)
FUNCTION(void, apet_take, State *s, i64 rank, i64 *operations, int *origins)
FUNCTION(void, apet_take_requests, const State *s, i64 *needed, i64 *ends, i64 *request_ends, i64 *messages,
         i64 *unfinished)
FUNCTION(void, apet_take_tags, const State *s, i64 *tags)
FUNCTION(void, apet_take_messages, const State *s, double *values, i64 *pair, i64 *size, unsigned char *early, double *take)

/* The longest path as a function of one factor (curve.c). */
FUNCTION(Curve *, apet_curve, const Programs *task, const double *duration, const double *slowness, const double *gap,
         i64 syncs, i64 late)
FUNCTION(void, apet_curve_at, const Curve *c, const double *factors, double *values, double *slopes)
FUNCTION(void, apet_curve_free, Curve *c)

/* Walks through programs (ends.c, dates.c, epochs.c, longest.c, clocks.c, critical.c). 1: memory ran out. */
FUNCTION(i64, apet_ends, const Programs *task, i64 *stands)
FUNCTION(i64, apet_dates, const Programs *task, const double *duration, const double *slowness, double lead, i64 early,
         double *began, double *ended, double *last)
FUNCTION(i64, apet_early, const Programs *task, const Loads *loads, const double *duration, const double *slowness,
         double *began, double *ended, double *last)
FUNCTION(i64, apet_epochs, const Programs *task, const double *duration, const double *slowness, double lead,
         const double *begins, const double *gain, i64 *epoch, double *date, double *entered)
FUNCTION(i64, apet_longest, const Programs *task, const double *duration, const double *slowness, const double *gap,
         i64 syncs, const double *factors, i64 number, i64 early, double *result)
FUNCTION(i64, apet_clocks, const Programs *task, const Known *known)
FUNCTION(i64, apet_critical, const Programs *task, Critical *c)
FUNCTION(i64, apet_critical_back, const Programs *task, const Critical *c, Step *steps)

/* Links that many flows share (apart.c, pieces.c). */
FUNCTION(i64, apet_apart, const Apart *a)
FUNCTION(i64, apet_known, const Apart *a)
FUNCTION(i64, apet_dated, const Apart *a)
FUNCTION(void, apet_chains, const Apart *a, const i64 *pair, const int *ends, const i64 *group, i64 *chain, double *since, i64 *after)
FUNCTION(i64, apet_densest, const Dense *d)
FUNCTION(i64, apet_pieces, const Held *h)
FUNCTION(i64, apet_held_back, i64 links, const i64 *counts, const i64 *const *message, const double *const *volume,
         const double *const *seconds, i64 messages, const double *bytes, double *held)

/* Folding (folding.c). */
FUNCTION(Folding *, apet_fold_new, const char *names, i64 longest, i64 aside)
FUNCTION(void, apet_fold_free, Folding *s)
FUNCTION(i64, apet_fold_feed, Folding *s, const char *text, i64 length)
FUNCTION(void, apet_fold_file, Folding *s)
FUNCTION(void, apet_fold_counts, const Folding *s, i64 *counts)
FUNCTION(void, apet_fold_gaps, const Folding *s, i64 *counts, double *volumes)
FUNCTION(void, apet_fold_forms, const Folding *s, char *text)
FUNCTION(void, apet_fold_greatest, const Folding *s, i64 *greatest)
FUNCTION(i64, apet_fold_rank, Folding *s, i64 rank, i64 *sizes, double *rest)
FUNCTION(void, apet_fold_take, Folding *s, i64 rank, const Columns *into)

/* Operations of a rank with dependencies (goal.c). */
FUNCTION(Goal *, apet_goal_new, i64 rank, i64 ranks)
FUNCTION(void, apet_goal_free, Goal *g)
FUNCTION(i64, apet_goal_text, Goal *g, const char *text, i64 length)
FUNCTION(i64, apet_goal_table, Goal *g, const char *table, i64 nodes, const char *behind, i64 numbers)
FUNCTION(i64, apet_goal_lines, Goal *g, double rate, i64 *result)
FUNCTION(void, apet_goal_take, const Goal *g, char *text)

/* Runs of ranks in a file (runs.c); sparse sums (sums.c). */
FUNCTION(i64, apet_runs, const char *text, i64 length, i64 *rank, i64 *ranks, i64 *starts, i64 room)
FUNCTION(i64, apet_extreme, i64 rows, const i64 *starts, const i64 *columns, const double *factors,
         const double *constants, i64 operands, const double *const *values, i64 count, i64 want_least, double least,
         double most, i64 lanes, double *result)

/* Simulation of jobs with precedence (circulation.c). */
FUNCTION(void, apet_circulation_begin, Circulating *s)
FUNCTION(i64, apet_circulation_run, Circulating *s, i64 events)

/* Simulation of layered queues (layers.c). */
FUNCTION(void, apet_layers_begin, Circulating *s, Layers *l)
FUNCTION(i64, apet_layers_run, Circulating *s, Layers *l, i64 events)

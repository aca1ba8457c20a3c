/* What raises early dates: a link is a machine that works off flows as they are released. */

#ifndef APET_FLOORS_H
#define APET_FLOORS_H

#include "core.h"

typedef struct { double start, end; } Block;

/* One machine: its busy periods, the last ones only; those from `first` on. */
typedef struct {
    i64 link, first, number, room;
    Block *blocks;
} Machine;

typedef struct {
    Machine *items;
    i64 number, room;
} Machines;

typedef struct {
    double released;
    i64 message;
} Job;

typedef struct {
    const Programs *task;
    const Loads *loads;
    const double *began;
    Machines *machines;         /* by rank */
    i64 *epoch;
    i64 *entered, *done, *next; /* by collective; lists of messages by epoch */
    double *floor;              /* by collective; below 0: not known yet */
    Job *jobs;
    i64 *at;                    /* by rank and receiver: the next arrival */
    unsigned char *counted;     /* by message: its sender does */
    double *ahead;              /* by link, in the turn that was its last */
    i64 *turn, turns;
    int failed;
} Floors;

/* 1 if memory ran out; to be ended in any case. `began`: by message, as far as known. */
int floors_begin(Floors *f, const Programs *task, const Loads *loads, const double *began);
void floors_end(Floors *f);

/* A rank has waited for a message until a date; the date from which it goes on. */
double floor_waited(Floors *f, i64 rank, i64 m, double date, int sent);

/* It learns what the other side knew to have ended when that posted the message. */
double floor_learned(Floors *f, i64 rank, i64 m, double date, int sent);
void floor_enter(Floors *f, i64 rank, i64 sync);

/* A rank ends a collective: all ranks have begun it, and waited for what they had before. */
double floor_leave(Floors *f, i64 sync, double date);

/* When the busiest link can have carried all messages that begin. */
double floor_of_all(Floors *f);

#endif

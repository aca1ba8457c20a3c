/* Stations of a simulation of jobs (stations.c). */

#include "core.h"

/* A number in (0, 1]. */
double uniform(const Circulating *s);

/* A random time of this mean and shape. */
double drawn(const Circulating *s, double mean, i64 shape);

/* The station at which a task ends next, at which the clock then stands; its date is infinite where none ends. */
i64 earliest(Circulating *s);

/* Counts the time since the last change of each station. */
void settle_stations(Circulating *s);

/* A task (job * tasks + task) comes to a station with a demand. */
void come(Circulating *s, i64 k, i64 task, double demand);

/* The task that ends now at a station; the next one begins. */
i64 go(Circulating *s, i64 k);

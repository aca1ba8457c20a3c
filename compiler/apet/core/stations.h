/* Stations of a simulation of jobs (stations.c). */

#include "core.h"

/* A number in (0, 1]. */
double uniform(const Circulating *s);

/* A random time of this mean and shape. */
double drawn(const Circulating *s, double mean, i64 shape);

/* Counts the time since the last change of a station. */
void forward(Circulating *s, i64 k);

/* Counts the time that a class has had its tasks at a station, of which there are then more or fewer. */
void count(Circulating *s, i64 c, i64 k, i64 more);

/* A task (job * tasks + task) comes to a station with a demand. */
void come(Circulating *s, i64 k, i64 task, double demand);

/* The task that ends now at a station; the next one begins. */
i64 go(Circulating *s, i64 k);

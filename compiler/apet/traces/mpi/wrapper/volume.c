/* What was computed between two calls: instructions by a hardware counter, instructions of counted basic blocks, or
   nanoseconds of CPU time. */
#define _GNU_SOURCE
#include "trace.h"

#include <dlfcn.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static enum { CPU, BLOCKS, COUNTERS } mode;
static __thread int counter = -1, inside;
static __thread long long of_thread, left_at; /* volume, and nanoseconds of CPU time, when its last call ended */
static long long of_all, pending, cpu_first, own;
static long long outside; /* nanoseconds of CPU time of the program itself */
static int libraries; /* whether what libraries compute is written as sleeping */
static long long of_libraries, pending_sleep; /* nanoseconds of CPU time */
static const double least_rate = 0.2; /* instructions per nanosecond, of programs */
enum { FILES = 256, SHORT = 1000 };
static unsigned long long (*blocks[FILES])(int); /* of the program and its shared libraries */
static int files;
static int threads; /* whether the volumes are those of all threads, else of the one that calls MPI */
static long long process_first;
static int weighted, off, made, multiple; /* whether the program has made threads, and all of them may call */
static __thread long long billed;
static long long callers; /* nanoseconds of CPU time of the threads that call */
int apet_threaded;
__thread int apet_first_thread;
__thread const void *apet_caller;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* of the threads that call */

/* Called by what `apet trace cc` links into a program and its libraries, before main: how to ask it for its count. */
void apet_attach(unsigned long long (*count)(int), int by_instructions)
{
    if (files == FILES || (files && weighted != by_instructions))
        apet_note("computing of libraries, which count blocks and no instructions");
    if (files < FILES)
        blocks[files++] = count;
    weighted |= by_instructions;
}

static int open_counter(void)
{
    struct perf_event_attr about;
    memset(&about, 0, sizeof about);
    about.type = PERF_TYPE_HARDWARE;
    about.size = sizeof about;
    about.config = PERF_COUNT_HW_INSTRUCTIONS;
    about.exclude_kernel = about.exclude_hv = 1;
    about.inherit = threads;
    return (int)syscall(SYS_perf_event_open, &about, 0, -1, -1, 0);
}

static long long clock_now(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long cpu_now(void)
{
    return clock_now(threads ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID);
}

/* What counts for all threads goes on while others call; what counts for one began with it, at 0. */
static long long *last(void)
{
    return threads ? &of_all : &of_thread;
}

static long long now(void)
{
    long long value = 0;
    switch (mode) {
    case BLOCKS:
        for (int k = 0; k < files; k++)
            value += (long long)blocks[k](threads);
        return value;
    case COUNTERS:
        counter = counter < 0 ? open_counter() : counter;
        return read(counter, &value, sizeof value) == sizeof value ? value : *last();
    default:
        return cpu_now();
    }
}

/* End, and leave the reason where it will be looked for: what ranks print may be lost when others end them. */
static void refuse(const char *why)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/refused", getenv("APET_TRACE_FOLDER"));
    FILE *file = fopen(name, "w");
    if (file) {
        fputs(why, file);
        fclose(file);
    }
    exit(97);
}

void apet_start(const char *wanted)
{
    threads = getenv("APET_TRACE_THREADS") != NULL;
    libraries = getenv("APET_TRACE_LIBRARIES") != NULL;
    int any = wanted == NULL || strcmp(wanted, "best") == 0;
    /* A build that counts blocks is asked first: its counts repeat, and a hardware counter would count the counting. */
    if (files && (any || strcmp(wanted, "blocks") == 0))
        mode = BLOCKS;
    else if (!any && strcmp(wanted, "blocks") == 0)
        refuse("the program counts no blocks");
    else if (any || strcmp(wanted, "counters") == 0)
        counter = open_counter();
    if (counter >= 0)
        mode = COUNTERS;
    else if (!any && strcmp(wanted, "counters") == 0)
        refuse("no hardware counter of instructions");
    apet_first_thread = 1;
    pending = 0;
    own = 1LL << 62; /* what asking costs is not the program's */
    for (int k = 0; k < 200; k++) {
        long long first = now(), next = now();
        own = next - first < own ? next - first : own;
    }
    cpu_first = left_at = cpu_now();
    billed = clock_now(CLOCK_THREAD_CPUTIME_ID);
    process_first = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    of_libraries = outside = 0;
    *last() = now();
}

const char *apet_volume_name(void)
{
    return mode == COUNTERS ? "counters" : mode == CPU ? "cpu" : weighted ? "instructions" : "blocks";
}

/* Threads that may call at once: a rank's lines are those of all of them, in the order in which they are written. */
void apet_threads(int made_now, int multiple_now)
{
    made |= made_now;
    multiple |= multiple_now;
    if (made && multiple && !off)
        apet_threaded = apet_patient = 1;
}

/* MPI makes threads of its own: only those of the program count. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    apet_threads(!inside, 0);
    return real(thread, attributes, run, data);
}

void apet_turn(int begins)
{
    begins ? pthread_mutex_lock(&turn) : pthread_mutex_unlock(&turn);
}

static void bill(void)
{
    long long used = clock_now(CLOCK_THREAD_CPUTIME_ID);
    callers += used - billed;
    billed = used;
}

void apet_off(void)
{
    off = 1;
    apet_threaded = apet_patient = 0;
    apet_turn(0);
}

/* Libraries count no blocks: where far fewer instructions were counted than any processor runs in the time, they did
   most of the work. */
static int in_libraries(long long instructions, long long nanoseconds)
{
    return mode == BLOCKS && weighted && nanoseconds > SHORT && instructions < least_rate * nanoseconds;
}

int apet_enter_from(const void *caller)
{
    if (inside++ || off)
        return 0;
    apet_turn(1);
    long long computed = now() - *last() - own, ran = mode == BLOCKS ? cpu_now() - left_at : 0;
    int library = in_libraries(computed, ran);
    of_libraries += library ? ran : 0;
    if (library && libraries) {
        pending_sleep += ran;
        computed = 0;
    }
    if (computed > 0)
        pending += computed;
    outside += ran;
    apet_called_from(apet_caller ? apet_caller : caller);
    return 1;
}

void apet_leave(void)
{
    if (--inside || off)
        return;
    if (mode == BLOCKS)
        left_at = cpu_now();
    *last() = now();
    if (apet_threaded)
        bill();
    apet_turn(0);
}

void apet_judge(void)
{
    const double least_seconds = 0.02, most_of_others = 0.2;
    bill();
    double process = (clock_now(CLOCK_PROCESS_CPUTIME_ID) - process_first) * 1e-9, caller = callers * 1e-9;
    if (!threads && process - caller > least_seconds && process > (1 + most_of_others) * caller)
        apet_note("computing of other threads than the one that calls MPI (see --threads)");
    if (!libraries && of_libraries * 1e-9 > least_seconds && of_libraries > most_of_others * outside)
        apet_note("computing in libraries, which count no blocks (see --libraries)");
}

int apet_is_inside(void)
{
    return inside != 0;
}

long long apet_pending(void)
{
    long long value = pending;
    pending = 0;
    return value;
}

long long apet_pending_sleep(void)
{
    long long value = pending_sleep;
    pending_sleep = 0;
    return value;
}

long long apet_nanoseconds(void)
{
    return cpu_now() - cpu_first;
}

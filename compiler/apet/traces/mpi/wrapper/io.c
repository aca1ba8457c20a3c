/* Calls that read and write files. A trace has no storage: their time is written as sleeping if that is asked for, and
   is left out otherwise. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double began;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static int sleeping(void)
{
    const char *wanted = getenv("APET_TRACE_IO");
    return wanted && strcmp(wanted, "sleep") == 0;
}

void apet_io_begin(void)
{
    began = seconds();
}

void apet_io_end(const char *what)
{
    char text[32];
    if (!sleeping()) {
        apet_note(what);
        return;
    }
    apet_begin_action("sleep", 0);
    snprintf(text, sizeof text, " %.9f", seconds() - began);
    apet_text(text);
    apet_end();
}

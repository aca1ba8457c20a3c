/* Where in the program the calls stand: by line of the trace the address to which its call returns. */
#define _GNU_SOURCE
#include "trace.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 14, MOST = SLOTS / 2, DEEPEST = 24, IN_LIBRARY = 0xffff };

static struct { const void *address; uint16_t number; } table[SLOTS];
static int known;
static __thread uint16_t here;
static uint16_t *sites;             /* of the present call; by line */
static long lines, capacity;
static FILE *places;
static char target[4096];

void apet_open_sites(const char *folder, int rank)
{
    snprintf(target, sizeof target, "%s/places.%d", folder, rank);
    places = fopen(target, "w");
    snprintf(target, sizeof target, "%s/sites.%d", folder, rank);
}

/* Between a program in Fortran and the recorder stand libraries of MPI. */
static int in_library(const Dl_info *about)
{
    const char *name = strrchr(about->dli_fname, '/');
    return strstr(name ? name : about->dli_fname, "libmpi") || strstr(about->dli_fname, "mpi-recorder");
}

/* A line: the address as the linker knows it, the nearest symbol that is exported, and the file. */
static uint16_t described(const void *address)
{
    Dl_info about;
    if (!dladdr(address, &about) || !about.dli_fname)
        return 0;
    if (in_library(&about))
        return IN_LIBRARY;
    if (places == NULL || known == MOST)
        return 0;
    const Elf64_Ehdr *head = about.dli_fbase;
    uintptr_t base = head->e_type == ET_EXEC ? 0 : (uintptr_t)about.dli_fbase;
    fprintf(places, "%lx %s %s\n", (unsigned long)((uintptr_t)address - base), about.dli_sname ? about.dli_sname : "?",
            about.dli_fname);
    return (uint16_t)++known;
}

static uint16_t number_of(const void *address)
{
    unsigned at = (unsigned)((uintptr_t)address * 0x9e3779b97f4a7c15ULL >> 40) % SLOTS;
    for (int tries = 0; tries < SLOTS && table[at].address; tries++, at = (at + 1) % SLOTS)
        if (table[at].address == address)
            return table[at].number;
    if (table[at].address)
        return 0;
    table[at].address = address;
    return table[at].number = described(address);
}

void apet_called_from(const void *caller)
{
    void *frames[DEEPEST];
    here = number_of(caller);
    if (here != IN_LIBRARY)
        return;
    int depth = backtrace(frames, DEEPEST);
    for (int k = 1; k < depth && here == IN_LIBRARY; k++)
        here = number_of(frames[k]);
    here = here == IN_LIBRARY ? 0 : here;
}

void apet_site_of_line(void)
{
    if (lines == capacity) {
        long larger = capacity ? 2 * capacity : 4096;
        uint16_t *more = realloc(sites, larger * sizeof *sites);
        if (more == NULL)
            return;
        sites = more;
        capacity = larger;
    }
    sites[lines++] = here;
}

void apet_take_back_line(void)
{
    lines--;
}

void apet_close_sites(void)
{
    FILE *file = places ? fopen(target, "wb") : NULL;
    if (file) {
        fwrite(sites, sizeof *sites, (size_t)lines, file);
        fclose(file);
        fclose(places);
    }
    places = NULL;
}

/* A rank's file. It is mapped into memory: lines are formatted in place, numbers that become known later are filled in,
   and what was written survives when the program dies. */
#define _GNU_SOURCE
#include "trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST = 1 << 20, LONGEST = 64, WIDTH = 11, NOTES = 256 };

static int file = -1;
static char *text, prefix[16];
static long used, capacity;
static int prefixed;
static char meta[4096];
static struct { const char *what; long count; } notes[NOTES];
static int noted, padded;

static void die(const char *what)
{
    perror(what);
    abort();
}

void apet_open(const char *folder, int rank)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/rank.%d", folder, rank);
    snprintf(meta, sizeof meta, "%s/about.%d", folder, rank);
    apet_open_sites(folder, rank);
    file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, FIRST) != 0)
        die(name);
    capacity = FIRST;
    text = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (text == MAP_FAILED)
        die(name);
    prefixed = snprintf(prefix, sizeof prefix, "%d ", rank);
}

/* Make room; the file grows by half, in pages. */
static void room(long more)
{
    if (used + more <= capacity)
        return;
    long larger = (capacity + capacity / 2 + more + 4095) & ~4095L;
    if (ftruncate(file, larger) != 0)
        die("apet: the trace cannot grow");
    text = mremap(text, capacity, larger, MREMAP_MAYMOVE);
    if (text == MAP_FAILED)
        die("apet: the trace cannot grow");
    capacity = larger;
}

static int digits(char *at, long long value)
{
    char reversed[24];
    int count = 0, length = 0;
    unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    do
        reversed[count++] = '0' + rest % 10;
    while (rest /= 10);
    if (value < 0)
        at[length++] = '-';
    while (count)
        at[length++] = reversed[--count];
    return length;
}

long apet_begin(const char *action)
{
    size_t length = strlen(action);
    room(LONGEST + length);
    long place = used;
    memcpy(text + used, prefix, prefixed);
    memcpy(text + used + prefixed, action, length);
    used += prefixed + length;
    return place;
}

void apet_number(long long value)
{
    room(LONGEST);
    text[used++] = ' ';
    used += digits(text + used, value);
}

long apet_hole(void)
{
    room(LONGEST);
    text[used++] = ' ';
    long place = used;
    memset(text + used, ' ', WIDTH);
    text[used + WIDTH - 1] = '?';
    used += WIDTH;
    padded = 1;
    return place;
}

void apet_fill(long place, long long value)
{
    char number[24];
    int length = digits(number, value);
    memset(text + place, ' ', WIDTH);
    memcpy(text + place + WIDTH - length, number, length);
}

void apet_text(const char *more)
{
    size_t length = strlen(more);
    room(LONGEST + length);
    memcpy(text + used, more, length);
    used += length;
}

void apet_end(void)
{
    text[used++] = '\n';
    apet_site_of_line();
}

void apet_strike(long place)
{
    text[place] = '#';
}

char *apet_cut(long place)
{
    char *taken = strndup(text + place, (size_t)(used - place));
    memset(text + place, 0, (size_t)(used - place));
    used = place;
    apet_take_back_line();
    return taken;
}

void apet_note(const char *what)
{
    int k = 0;
    while (k < noted && strcmp(notes[k].what, what) != 0)
        k++;
    if (k == NOTES)
        return;
    notes[k].what = what;
    notes[k].count++;
    if (k == noted) {
        noted++;
        if (file >= 0)
            apet_about(0); /* the rank may be ended before it says so itself */
    }
}

void apet_about(int complete)
{
    FILE *about = fopen(meta, "w");
    if (about == NULL)
        die(meta);
    fprintf(about, "ranks %d\nvolumes %s\npadded %d\n", apet_size, apet_volume_name(), padded || !complete);
    fprintf(about, "seconds %.9f\ncomplete %d\n", apet_nanoseconds() * 1e-9, complete);
    for (int k = 0; k < noted; k++)
        fprintf(about, "note %ld %s\n", notes[k].count, notes[k].what);
    fclose(about);
}

void apet_close(void)
{
    if (file < 0)
        return;
    apet_close_sites();
    munmap(text, capacity);
    if (ftruncate(file, used) != 0)
        die("apet: the trace cannot be closed");
    close(file);
    file = -1;
    apet_about(1);
}

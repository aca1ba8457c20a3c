/* Linked into a program, and each of its shared libraries, by `apet trace cc`: counts the basic blocks that it runs, or, with a table of how many
   instructions each has, instructions. The compiler calls it at the beginning of each block. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What one thread ran; kept when it ends, since others add it up. */
struct counter {
    unsigned long long counted;
    struct counter *next;
};

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden"))); /* of this file, not of the program */
static __thread struct counter *own;
static struct counter first, *_Atomic every;
static const uint16_t *weights;
static uintptr_t size;

static struct counter *counter_of_thread(void)
{
    own = calloc(1, sizeof *own);
    if (own == NULL)
        return own = &first;
    own->next = every;
    while (!atomic_compare_exchange_weak(&every, &own->next, own)) {
    }
    return own;
}

__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void)
{
    uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__ehdr_start;
    struct counter *mine = own ? own : counter_of_thread();
    mine->counted += at < size ? weights[at] : 1;
}

static unsigned long long count(int threads)
{
    unsigned long long counted = own ? own->counted : 0;
    for (const struct counter *other = threads ? every : NULL; other != NULL; other = other->next)
        counted += other != own ? other->counted : 0;
    return counted;
}

/* The table of this file in lines `FILE=TABLE`, of which the first is the program's; to be freed. */
static char *table_of_this(const char *lines)
{
    int main = getauxval(AT_PHDR) == (uintptr_t)&__ehdr_start + __ehdr_start.e_phoff;
    Dl_info about;
    char *own = !main && dladdr(&__ehdr_start, &about) ? realpath(about.dli_fname, NULL) : NULL;
    size_t length = own ? strlen(own) : 0;
    const char *at = lines;
    while (at && !main && (!own || strncmp(at, own, length) != 0 || at[length] != '='))
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    free(own);
    at = at ? strchr(at, '=') : NULL;
    return at ? strndup(at + 1, strcspn(at + 1, "\n")) : NULL;
}

/* Two bytes for each byte of the file: instructions of the block whose call returns there. */
static void read_weights(void)
{
    struct stat about;
    char *name = table_of_this(getenv("APET_TRACE_WEIGHTS"));
    int file = name ? open(name, O_RDONLY) : -1;
    free(name);
    if (file < 0 || fstat(file, &about) != 0 || about.st_size < 2)
        return;
    void *table = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (table == MAP_FAILED)
        return;
    weights = table;
    size = (uintptr_t)about.st_size / 2;
}

__attribute__((constructor)) static void attach(void)
{
    void (*tell)(unsigned long long (*)(int), int) =
        (void (*)(unsigned long long (*)(int), int))dlsym(RTLD_DEFAULT, "apet_attach");
    if (!tell)
        return;
    read_weights();
    tell(count, size > 0);
}

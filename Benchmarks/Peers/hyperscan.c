// Hyperscan, or Vectorscan, which has the same interface: one automaton for all patterns. It tells which patterns match,
// not what they captured.
#include <hs/hs.h>

#include "peer.h"

static hs_database_t *database;
static hs_scratch_t *scratch;

static void compile(const Lines *patterns) {
    const char **texts = (const char **)malloc(patterns->count * sizeof *texts);
    unsigned *flags = (unsigned *)malloc(patterns->count * sizeof *flags);
    unsigned *numbers = (unsigned *)malloc(patterns->count * sizeof *numbers);
    for (size_t index = 0; index < patterns->count; index++) {
        texts[index] = patterns->lines[index].text;
        flags[index] = HS_FLAG_SINGLEMATCH;
        numbers[index] = (unsigned)index;
    }
    hs_compile_error_t *error;
    if (hs_compile_multi(texts, flags, numbers, (unsigned)patterns->count, HS_MODE_BLOCK, NULL, &database, &error) !=
        HS_SUCCESS)
        fail("hs_compile_multi", error->message);
    if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) fail("hs_alloc_scratch", "out of memory");
    free(texts);
    free(flags);
    free(numbers);
}

static int note(unsigned number, unsigned long long from, unsigned long long to, unsigned flags, void *context) {
    (void)from, (void)to, (void)flags;
    long *first = (long *)context;
    if (*first < 0 || (long)number < *first) *first = number;
    return 0;
}

static long lookup(const char *text, size_t length) {
    long first = -1;
    hs_scan(database, text, (unsigned)length, 0, scratch, note, &first);
    return first;
}

static const char *version(void) { return hs_version(); }

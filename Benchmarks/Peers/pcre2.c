// The loop that nginx has, at its best: each pattern in turn with pcre2_jit_match, until one matches.
// Finds captures too.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "peer.h"

static pcre2_code **codes;
static size_t code_count;
static pcre2_match_data *match_data;

static void compile(const Lines *patterns) {
    codes = (pcre2_code **)malloc(patterns->count * sizeof *codes);
    code_count = patterns->count;
    for (size_t index = 0; index < code_count; index++) {
        int error;
        PCRE2_SIZE offset;
        codes[index] = pcre2_compile((PCRE2_SPTR)patterns->lines[index].text, patterns->lines[index].length, 0, &error,
                                     &offset, NULL);
        if (!codes[index] || pcre2_jit_compile(codes[index], PCRE2_JIT_COMPLETE) != 0)
            fail("pattern", patterns->lines[index].text);
    }
    match_data = pcre2_match_data_create(16, NULL);
}

static long lookup(const char *text, size_t length) {
    for (size_t index = 0; index < code_count; index++)
        if (pcre2_jit_match(codes[index], (PCRE2_SPTR)text, length, 0, 0, match_data, NULL) >= 0) return (long)index;
    return -1;
}

static const char *version(void) {
    static char text[64];
    pcre2_config(PCRE2_CONFIG_VERSION, text);
    return text;
}

// RE2::Set: one automaton for all patterns. It tells which patterns match, not what they captured.
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <string>
#include <vector>

#include "peer.h"

static RE2::Set *set;
static std::vector<int> matches;

static void compile(const Lines *patterns) {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    // With the usual 8 MiB the automaton is thrown away again and again at 10,000 patterns.
    options.set_max_mem(int64_t(4) << 30);
    set = new RE2::Set(options, RE2::UNANCHORED);
    for (size_t index = 0; index < patterns->count; index++) {
        std::string error;
        if (set->Add(std::string(patterns->lines[index].text, patterns->lines[index].length), &error) < 0)
            fail("pattern", error.c_str());
    }
    if (!set->Compile()) fail("RE2::Set", "out of memory");
}

static long lookup(const char *text, size_t length) {
    matches.clear();
    if (!set->Match(re2::StringPiece(text, length), &matches)) return -1;
    return *std::min_element(matches.begin(), matches.end());
}

static const char *version(void) { return SHUNT_PEER_VERSION; }

// What the peers have in common: they read patterns once, and then answer questions about files of paths.
//
//     PROGRAM PATTERNS          one regular expression a line; prints "ready SECONDS BYTES VERSION" when they are compiled
//     FILE NANOSECONDS          on standard input: look up the paths of FILE, one a line, in turn, for about that long,
//                               after a pass over them that is not timed and takes no longer
//     NS LOOKUPS MATCHES        on standard output: the time of one lookup, how many there were, how many matched
//
// Time is the processor time of the thread. A lookup finds the number of the first pattern that matches. Paths go on
// where the last question about the same file ended.
#ifndef SHUNT_PEER_H
#define SHUNT_PEER_H

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    char *text;
    size_t length;
} Line;

typedef struct {
    char name[4096];
    Line *lines;
    size_t count;
    size_t next;
} Lines;

static double thread_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

static Lines read_lines(const char *name) {
    Lines lines = {{0}, NULL, 0, 0};
    snprintf(lines.name, sizeof lines.name, "%s", name);
    FILE *file = fopen(name, "r");
    if (!file) fail("cannot read", name);
    char *text = NULL;
    size_t capacity = 0, room = 0;
    ssize_t length;
    while ((length = getline(&text, &capacity, file)) > 0) {
        if (text[length - 1] == '\n') length--;
        if (lines.count == room) {
            room = room ? 2 * room : 1024;
            lines.lines = (Line *)realloc(lines.lines, room * sizeof(Line));
        }
        Line line = {(char *)malloc(length + 1), (size_t)length};
        memcpy(line.text, text, length);
        line.text[length] = 0;
        lines.lines[lines.count++] = line;
    }
    free(text);
    fclose(file);
    if (lines.count == 0) fail("empty", name);
    return lines;
}

static size_t live_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// The number of the first pattern that matches, or -1.
static long lookup(const char *text, size_t length);
// Compiles the patterns.
static void compile(const Lines *patterns);
static const char *version(void);

// Looks up the next paths, and returns how many of them matched.
static size_t look_up_next(Lines *paths, size_t count) {
    size_t matches = 0;
    for (size_t turn = 0; turn < count; turn++) {
        const Line *line = &paths->lines[paths->next];
        if (lookup(line->text, line->length) >= 0) matches++;
        if (++paths->next == paths->count) paths->next = 0;
    }
    return matches;
}

int main(int argc, char **argv) {
    if (argc != 2) fail("usage", "PROGRAM PATTERNS");
    Lines patterns = read_lines(argv[1]);
    size_t before = live_bytes();
    double start = thread_time();
    compile(&patterns);
    double seconds = (thread_time() - start) / 1e9;
    printf("ready %.6f %zu %s\n", seconds, live_bytes() - before, version());
    fflush(stdout);

    static Lines files[64];
    size_t file_count = 0;
    char name[4096];
    double wanted;
    while (scanf("%4095s %lf", name, &wanted) == 2) {
        size_t index = 0;
        while (index < file_count && strcmp(files[index].name, name) != 0) index++;
        if (index == file_count) {
            if (file_count == 64) fail("too many files", name);
            files[file_count++] = read_lines(name);
        }
        Lines *paths = &files[index];
        size_t lookups = 0, matches = 0, until_clock = 16;
        double begin = thread_time(), used = 0;
        // Whoever had the turn before left the processor's caches full of its own data.
        for (size_t warm = 0; warm < paths->count && thread_time() - begin < wanted; warm += until_clock)
            look_up_next(paths, until_clock);
        begin = thread_time();
        do {
            matches += look_up_next(paths, until_clock);
            lookups += until_clock;
            used = thread_time() - begin;
            // Seldom enough that looking at the clock costs nothing.
            if (used < wanted / 16) until_clock *= 2;
        } while (used < wanted);
        printf("%.3f %zu %zu\n", used / lookups, lookups, matches);
        fflush(stdout);
    }
    return 0;
}

#endif

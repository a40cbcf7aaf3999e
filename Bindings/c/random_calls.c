/* Random calls of the interface, most with arguments that are fine and some with wrong ones: random_calls RULES COUNT [SEED].
 * Compiled with -fsanitize=address it finds leaks too. It fails if a decision is written outside of its buffer. */
#include <shunt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8, GUARD = 32 };
static uint64_t state;
static long decided;

static uint64_t below(uint64_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % bound;
}

static bool seldom(void) { return below(50) == 0; }

static const char *const pieces[] = {
    "http://", "shop.example", "/", "/old/", "shoes", "?a=1&b=%20", "#", "%2e%2e/", "%", "..", ":80", "[::1]", "\xff", "admin", " ",
    "server {", "}", "listen 80;", "location ~ ^/(a|b)+$ {", "return 301 /x$1;", "set $a $arg_b;", "rewrite ^ /z last;", "\n", ";"};

/* A text in memory of exactly its size, which the caller frees by its bytes. */
static shunt_text text(unsigned most) {
    char joined[1024];
    size_t length = 0;
    for (uint64_t count = below(most + 1); count > 0; count--) {
        const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
        size_t size = strlen(piece);
        if (length + size > sizeof joined) break;
        memcpy(joined + length, piece, size);
        length += size;
    }
    char *bytes = malloc(length ? length : 1);
    memcpy(bytes, joined, length);
    if (length && below(8) == 0) bytes[below(length)] = (char)below(256);
    return (shunt_text){bytes, length};
}

static void release(shunt_text text) { free((void *)text.bytes); }

static void decide(const shunt_rules *rules, const shunt_store *store) {
    shunt_text url = text(8), host = text(2), name = text(1), value = text(3);
    shunt_field field = {name, value};
    shunt_request request = {.size = sizeof request, .url = url, .http_version = (uint8_t)below(5), .security = (uint8_t)below(4)};
    if (below(2)) request.host = host;
    if (below(2)) request.headers = &field, request.header_count = 1;
    if (below(4) == 0) request.inputs = &field, request.input_count = 1;
    if (below(4) == 0) request.client_address = value;
    if (below(4) == 0) request.method = name;
    if (seldom()) request.size = below(2 * sizeof request);
    if (seldom()) request.url.bytes = NULL;
    if (seldom()) request.headers = NULL;
    request.seconds = seldom() ? (int64_t)(state << 1) : 0;
    request.nanoseconds = seldom() ? (uint32_t)state : 0;
    size_t capacity = below(4) ? 4096 : below(600);
    unsigned char *buffer = malloc(capacity + GUARD);
    memset(buffer + capacity, 0xA5, GUARD);
    shunt_decision decision = SHUNT_DECISION;
    if (seldom()) decision.size = below(sizeof decision);
    if (below(8) == 0) {
        char *steps = NULL;
        shunt_explain(rules, &request, (shunt_format)below(3), &steps);
        shunt_free(steps);
    } else if (below(2)) {
        shunt_decide(seldom() ? NULL : rules, seldom() ? NULL : &request, buffer, capacity, seldom() ? NULL : &decision);
    } else {
        decided += shunt_store_decide(store, &request, seldom() ? NULL : buffer, capacity, &decision) == SHUNT_OK;
    }
    for (int index = 0; index < GUARD; index++)
        if (buffer[capacity + index] != 0xA5) {
            fprintf(stderr, "a decision was written outside of its buffer\n");
            exit(1);
        }
    free(buffer);
    release(url), release(host), release(name), release(value);
}

static shunt_rules *load(const char *path) {
    shunt_rules *rules = NULL;
    char *message = NULL;
    shunt_text content = text(12), name = text(2);
    shunt_field file = {name, content};
    switch (below(3)) {
    case 0: shunt_rules_load(seldom() ? "/nowhere" : path, NULL, &rules, &message); break;
    case 1: shunt_rules_parse(content, "a.conf", NULL, &rules, seldom() ? NULL : &message); break;
    default: shunt_rules_archive(&file, below(2), NULL, &rules, &message);
    }
    shunt_free(message);
    release(content), release(name);
    return rules;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    state = count > 3 ? strtoull(arguments[3], NULL, 10) | 1 : 88172645463325252u;
    shunt_rules *slots[SLOTS] = {NULL};
    shunt_store *store = NULL;
    if (shunt_store_open(arguments[1], NULL, NULL, NULL, &store, NULL) != SHUNT_OK) return 1;
    for (long calls = atol(arguments[2]); calls > 0; calls--) {
        shunt_rules **slot = &slots[below(SLOTS)];
        uint64_t kind = below(1000);
        char *written = NULL;
        if (kind < 10 || !*slot) {
            shunt_rules_release(*slot);
            *slot = below(2) ? shunt_store_rules(store) : load(arguments[1]);
        } else if (kind < 15) {
            shunt_rules_report(*slot, (shunt_report)below(6), (shunt_format)below(3), &written);
        } else if (kind < 20) {
            written = shunt_rules_hash(*slot);
        } else if (kind < 25) {
            shunt_rules_release(shunt_rules_retain(*slot));
        } else if (kind < 27) {
            shunt_store_reload(store, &written);
        } else if (kind < 30) {
            shunt_store_status(store, &written);
        } else if (kind < 31) {
            shunt_store_close(store);
            if (shunt_store_open(arguments[1], NULL, NULL, NULL, &store, NULL) != SHUNT_OK) return 1;
        } else {
            decide(*slot, store);
        }
        shunt_free(written);
    }
    for (int index = 0; index < SLOTS; index++) shunt_rules_release(slots[index]);
    shunt_store_close(store);
    // Calls that are refused for their arguments would prove little.
    printf("%s random calls, %ld decisions of the store\n", arguments[2], decided);
    return decided > atol(arguments[2]) / 10 ? 0 : 1;
}

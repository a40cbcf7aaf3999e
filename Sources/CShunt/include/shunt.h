/*
 * libshunt: the rules of Shunt for C, and for every language that calls C.
 *
 * Load rules, ask about requests, get decisions:
 *
 *     shunt_rules *rules;
 *     char *message;
 *     if (shunt_rules_load("rules", NULL, &rules, &message) != SHUNT_OK) {
 *         fputs(message, stderr);
 *         shunt_free(message);
 *         return 1;
 *     }
 *     shunt_request request = SHUNT_REQUEST("https://www.example.com/old");
 *     shunt_decision decision = SHUNT_DECISION;
 *     char buffer[4096];
 *     if (shunt_decide(rules, &request, buffer, sizeof buffer, &decision) == SHUNT_OK)
 *         printf("%d %s\n", (int)decision.kind, decision.url.bytes);
 *     shunt_rules_release(rules);
 *
 * Threads: every function may be called from any thread at any time. Rules are immutable; a store replaces them as a whole.
 *
 * Errors: every function returns a status. Wrong arguments (NULL where a pointer is needed, a length without bytes) are
 * SHUNT_INVALID_ARGUMENT; nothing that a caller passes ends the process, as long as pointers point to their objects.
 *
 * Memory: what a caller passes is read during the call only. Texts that a function returns through `char **` end with a NUL
 * byte and are freed with shunt_free. Texts of a decision lie in the caller's buffer.
 *
 * Versions: structures begin with their size, so that a program that was compiled with an older header works with a newer library.
 * SHUNT_INTERFACE changes only where that is not so.
 */
#ifndef SHUNT_H
#define SHUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The interface of this header; shunt_interface() returns that of the library. */
#define SHUNT_INTERFACE 1

/* Bytes. In a decision a NUL byte, which does not count, follows them; `bytes` is NULL where there is no value. */
typedef struct shunt_text {
    const char *bytes;
    size_t length;
} shunt_text;

/* A name and a value: a header, an input variable, a parameter of a route, or the path and the content of a file. */
typedef struct shunt_field {
    shunt_text name;
    shunt_text value;
} shunt_field;

typedef enum shunt_status {
    SHUNT_OK = 0,
    /* An argument is NULL, or a structure has a size or a value that this library does not know. */
    SHUNT_INVALID_ARGUMENT = 1,
    /* The rules are wrong. The message has every error with its line. */
    SHUNT_INVALID_RULES = 2,
    /* The rules cannot be read, or were refused; a store keeps those in use. */
    SHUNT_UNAVAILABLE = 3,
    /* The decision does not fit into the buffer: `needed` of the decision has the size that it needs. */
    SHUNT_TOO_SMALL = 4
} shunt_status;

/* The kinds of decisions. */
typedef enum shunt_kind {
    /* The request continues to `url`; `target` and `authority` are for its request line. */
    SHUNT_FORWARD = 0,
    /* The client is sent to `url` with `status`. */
    SHUNT_REDIRECT = 1,
    /* The app opens `url` in a browser. */
    SHUNT_DEGRADE = 2,
    /* The rules answer with `status`, `body` and `headers`. */
    SHUNT_RESPOND = 3,
    /* The request is refused with `status`. */
    SHUNT_BLOCK = 4,
    /* The request cannot be decided: `status` and `reason` have the cause. Refuse it. */
    SHUNT_FAIL = 5
} shunt_kind;

/* The forms of reports. */
typedef enum shunt_format { SHUNT_TEXT = 0, SHUNT_JSON = 1 } shunt_format;

/* The reports about rules. */
typedef enum shunt_report {
    /* The warnings about the rules. */
    SHUNT_DIAGNOSTICS = 0,
    /* Every rule with its place, in the order of the files. */
    SHUNT_RULES = 1,
    /* Every route. */
    SHUNT_ROUTES = 2,
    /* How often each rule decided, and when it last did; empty unless `counts` of the options is true. */
    SHUNT_HITS = 3
} shunt_report;

/* Rules: immutable, with a count of references. */
typedef struct shunt_rules shunt_rules;

/* Rules that are loaded again when their files change. */
typedef struct shunt_store shunt_store;

/* How rules are loaded. SHUNT_OPTIONS has the defaults, and NULL means them. */
typedef struct shunt_options {
    size_t size;
    /* Directories outside the rule directory that an `include` may lead to. */
    const char *const *trusted;
    size_t trusted_count;
    /* The root of locations that set none, or NULL. With it `-f`, `try_files` and the like read files. */
    const char *document_root;
    /* For a store: the file of the last good copy, which it starts with where the rules cannot be loaded; or NULL. */
    const char *last_known_good;
    /* Ignore directives that are unknown, with a warning. */
    bool ignores_unknown;
    /* Count the decisions of each rule, for SHUNT_HITS. */
    bool counts;
    /* For a store: load again when the files change. */
    bool watches;
    /* Messages about wrong rules are JSON, an object a line, as SHUNT_DIAGNOSTICS is. */
    bool json;
} shunt_options;

/* A request. SHUNT_REQUEST(url) has the defaults of everything else. */
typedef struct shunt_request {
    size_t size;
    /* A whole URL of any scheme; or, with a `host`, the target of an HTTP request line. */
    shunt_text url;
    /* The Host of an HTTP request; `bytes` is NULL where `url` is a whole URL. */
    shunt_text host;
    /* The method; GET if empty. */
    shunt_text method;
    const shunt_field *headers;
    size_t header_count;
    /* The values of `input` variables, by name without the dollar sign. */
    const shunt_field *inputs;
    size_t input_count;
    /* The address of the client; 127.0.0.1 if empty. */
    shunt_text client_address;
    /* The address and the port that the request arrived at; port 0 chooses a `listen` of the rules. */
    shunt_text server_address;
    uint16_t client_port;
    uint16_t server_port;
    /* 0: as the `listen` has it. 1: without TLS. 2: with TLS. */
    uint8_t security;
    /* The minor version of HTTP/1, or 2 and 3 for those; SHUNT_REQUEST has 1. */
    uint8_t http_version;
    /* The time in seconds since 1970 and nanoseconds; both 0 for now. */
    int64_t seconds;
    uint32_t nanoseconds;
} shunt_request;

/* A decision. Its texts and fields lie in the buffer that was passed. Until there is one, and where the arguments are invalid, it is
 * SHUNT_FAIL. */
typedef struct shunt_decision {
    size_t size;
    shunt_kind kind;
    /* The status, or 0 without one. 444: close the connection without an answer. */
    int32_t status;
    /* A rule changed the request or decided about it. */
    bool is_by_rule;
    /* A `proxy_pass` chose where the request goes. */
    bool is_upstream;
    /* The URL where the request goes, or the Location. */
    shunt_text url;
    /* The path and the arguments for the request line, and the host with its port: send these bytes, not parts of the URL. */
    shunt_text target;
    shunt_text authority;
    /* The path as the rules left it, decoded. */
    shunt_text path;
    shunt_text body;
    /* For SHUNT_FAIL: what is wrong. */
    shunt_text reason;
    /* The place of the rule; line 0 without one. */
    shunt_text file;
    uint32_t line;
    uint32_t column;
    /* The route, and its parameters, decoded. */
    shunt_text route;
    const shunt_field *parameters;
    size_t parameter_count;
    /* The headers for the answer (with those of `expires`, if the rules set it), those for answers with nginx's usual statuses only, and
     * those for the upstream. */
    const shunt_field *headers;
    size_t header_count;
    const shunt_field *success_headers;
    size_t success_header_count;
    const shunt_field *upstream_headers;
    size_t upstream_header_count;
    /* The bytes that the buffer needs. */
    size_t needed;
} shunt_decision;

#define SHUNT_LITERAL(text) {(text), sizeof(text) - 1}
#define SHUNT_OPTIONS {.size = sizeof(shunt_options)}
#define SHUNT_REQUEST(literal) {.size = sizeof(shunt_request), .url = SHUNT_LITERAL(literal), .http_version = 1}
#define SHUNT_DECISION {.size = sizeof(shunt_decision), .kind = SHUNT_FAIL}

/* What came of loading rules again: SHUNT_OK with a line about it, or the error, with which the rules in use stay.
 * It is called on a thread of the library, one call at a time, and not after shunt_store_close has returned. It may call any function. */
typedef void (*shunt_reloaded)(void *context, shunt_status status, const char *message);

/* The interface of the library: see SHUNT_INTERFACE. */
uint32_t shunt_interface(void);

/* The version, such as 0.9.0: a text that is not freed. */
const char *shunt_version(void);

/* Frees what a function returned through `char **`. NULL is fine. */
void shunt_free(char *text);

/* Loads the rules at a path: a directory of *.conf files, one rule file, or an nginx.conf. `message` gets the errors where
 * the status is not SHUNT_OK, else NULL; it may be NULL itself. */
shunt_status shunt_rules_load(
    const char *path, const shunt_options *options, shunt_rules **rules, char **message);

/* Loads rules from a text, under a name for messages. */
shunt_status shunt_rules_parse(
    shunt_text text, const char *name, const shunt_options *options, shunt_rules **rules, char **message);

/* Loads rules from files in memory: their paths are relative to one directory, and no two are the same. */
shunt_status shunt_rules_archive(
    const shunt_field *files, size_t count, const shunt_options *options, shunt_rules **rules, char **message);

/* Adds a reference, and returns the rules. */
shunt_rules *shunt_rules_retain(shunt_rules *rules);

/* Drops a reference; the last one frees the rules. NULL is fine. */
void shunt_rules_release(shunt_rules *rules);

/* The number of rules. */
size_t shunt_rules_count(const shunt_rules *rules);

/* The SHA-256 of the rule files, as hexadecimal digits: a text to be freed. */
char *shunt_rules_hash(const shunt_rules *rules);

/* Writes a report: a text for people, or JSON, an object a line. */
shunt_status shunt_rules_report(
    const shunt_rules *rules, shunt_report report, shunt_format format, char **text);

/* Decides about a request. Nothing is allocated once a thread has decided about a request like it, but for parameters of routes. */
shunt_status shunt_decide(
    const shunt_rules *rules, const shunt_request *request, void *buffer, size_t capacity, shunt_decision *decision);

/* Decides about a request and writes every step that led to the decision. */
shunt_status shunt_explain(
    const shunt_rules *rules, const shunt_request *request, shunt_format format, char **text);

/* Opens a store for the rules at a path. `reloaded` may be NULL. */
shunt_status shunt_store_open(
    const char *path, const shunt_options *options, shunt_reloaded reloaded, void *context, shunt_store **store,
    char **message);

/* The rules in use, with a reference for the caller. */
shunt_rules *shunt_store_rules(const shunt_store *store);

/* The number of the rules in use: 1 at first, one more whenever others come into use. */
uint64_t shunt_store_generation(const shunt_store *store);

/* Decides about a request with the rules in use. Once a thread has done so, it waits for no other thread. A thread keeps the
 * rules that it used last until it decides again or ends. */
shunt_status shunt_store_decide(
    const shunt_store *store, const shunt_request *request, void *buffer, size_t capacity, shunt_decision *decision);

/* Loads the rules again and waits for it. `message` gets what changed, or the errors. */
shunt_status shunt_store_reload(shunt_store *store, char **message);

/* Writes the status of the store as a JSON object. */
shunt_status shunt_store_status(const shunt_store *store, char **text);

/* Adds a reference, and returns the store. */
shunt_store *shunt_store_retain(shunt_store *store);

/* Closes the store, waits for a call of `reloaded` to end unless it is made by one, and drops a reference. A closed store of which
 * a reference is left decides with its last rules. Rules that a caller holds stay valid. NULL is fine. */
void shunt_store_close(shunt_store *store);

#ifdef __cplusplus
}
#endif

#endif

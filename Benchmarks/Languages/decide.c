/* Decides about the URLs of a file in turn; prints the nanoseconds of a decision, and the number of decisions by a rule.
 *
 *     decide RULES URLS DECISIONS
 */
#include <shunt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 4096 };
static shunt_request requests[MOST];
static size_t request_count;
static char buffer[65536];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static size_t decide(const shunt_rules *rules, size_t count) {
    size_t matches = 0;
    for (size_t index = 0, next = 0; index < count; index++) {
        shunt_decision decision = SHUNT_DECISION;
        if (shunt_decide(rules, &requests[next], buffer, sizeof buffer, &decision) == SHUNT_OK && decision.is_by_rule)
            matches++;
        if (++next == request_count) next = 0;
    }
    return matches;
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    shunt_rules *rules;
    char *message;
    if (shunt_rules_load(arguments[1], NULL, &rules, &message) != SHUNT_OK) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    FILE *file = fopen(arguments[2], "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while (file && request_count < MOST && (length = getline(&line, &capacity, file)) > 0) {
        if (line[length - 1] == '\n') line[--length] = 0;
        shunt_request request = SHUNT_REQUEST("");
        request.url = (shunt_text){strdup(line), (size_t)length};
        requests[request_count++] = request;
    }
    if (request_count == 0) return 1;
    size_t decisions = strtoul(arguments[3], NULL, 10);
    decide(rules, request_count);
    double start = now();
    size_t matches = decide(rules, decisions);
    printf("%.1f %zu\n", (now() - start) / (double)decisions, matches);
    return 0;
}

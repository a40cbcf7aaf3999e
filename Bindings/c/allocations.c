/* Fails if a decision allocates once a thread has made one like it. */
#include <shunt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
static unsigned long count;

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

static const char text[] =
    "input $app_version 0;\n"
    "server { listen 80; server_name www.a.test; rewrite ^/old/(.*)$ /new/$1 permanent;\n"
    "location /a { add_header X-A b; return 200 \"$http_x_name $app_version\"; } location /api { proxy_pass http://10.0.0.1; } }\n";

int main(void) {
    shunt_rules *rules;
    char *message;
    shunt_text lent = SHUNT_LITERAL(text);
    if (shunt_rules_parse(lent, NULL, NULL, &rules, &message) != SHUNT_OK) {
        fputs(message, stderr);
        return 1;
    }
    const char *urls[] = {"http://www.a.test/x", "http://www.a.test/old/x", "http://www.a.test/a", "http://www.a.test/api/1"};
    int failures = 0;
    for (int form = 0; form < 4; form++) {
        for (size_t index = 0; index < sizeof urls / sizeof *urls; index++) {
            shunt_field headers[] = {{SHUNT_LITERAL("X-Name"), SHUNT_LITERAL("a name of more than fifteen bytes")}};
            shunt_field inputs[] = {{SHUNT_LITERAL("app_version"), SHUNT_LITERAL("3.1.9")}};
            shunt_request request = SHUNT_REQUEST("");
            request.url = (shunt_text){urls[index], strlen(urls[index])};
            if (form & 1) {
                request.headers = headers;
                request.header_count = 1;
            }
            if (form & 2) {
                request.inputs = inputs;
                request.input_count = 1;
            }
            char buffer[4096];
            shunt_decision decision = SHUNT_DECISION;
            for (int round = 0; round < 3; round++) shunt_decide(rules, &request, buffer, sizeof buffer, &decision);
            unsigned long before = count;
            for (int round = 0; round < 100; round++) {
                if (shunt_decide(rules, &request, buffer, sizeof buffer, &decision) != SHUNT_OK) return 1;
            }
            if (count != before) {
                fprintf(stderr, "%s, form %d: %lu allocations in 100 decisions\n", urls[index], form, count - before);
                failures++;
            }
        }
    }
    shunt_rules_release(rules);
    return failures != 0 || count == 0;
}

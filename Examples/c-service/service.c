/*
 * An HTTP service without a framework that asks libshunt about each request, with rules that are loaded again when their files change.
 *
 *     service RULES PORT
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <shunt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void reloaded(void *context, shunt_status status, const char *message) {
    (void)context;
    fprintf(stderr, "%s%s\n", status == SHUNT_OK ? "" : "rules refused, the old ones stay: ", message);
}

/* The value of a header, or an empty text. */
static shunt_text header(const char *head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            const char *value = line + length + 1;
            while (*value == ' ') value++;
            return (shunt_text){value, strcspn(value, "\r")};
        }
    }
    return (shunt_text){"", 0};
}

/* Answers one request. */
static void answer(int client, const shunt_store *store) {
    char head[8192];
    ssize_t count = read(client, head, sizeof head - 1);
    if (count <= 0) return;
    head[count] = 0;
    size_t method = strcspn(head, " \r");
    const char *target = head[method] == ' ' ? head + method + 1 : "";

    shunt_request request = {.size = sizeof request, .http_version = 1};
    request.method = (shunt_text){head, method};
    request.url = (shunt_text){target, strcspn(target, " \r")};
    request.host = header(head, "Host");
    shunt_field agent = {SHUNT_LITERAL("User-Agent"), header(head, "User-Agent")};
    request.headers = &agent;
    request.header_count = 1;

    char buffer[16384];
    shunt_decision decision = SHUNT_DECISION;
    shunt_status status = shunt_store_decide(store, &request, buffer, sizeof buffer, &decision);
    if (status != SHUNT_OK) {
        dprintf(client, "HTTP/1.1 500 Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    }
    switch (decision.kind) {
    case SHUNT_REDIRECT:
    case SHUNT_DEGRADE:
        dprintf(client, "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                decision.status ? decision.status : 302, decision.url.bytes);
        break;
    case SHUNT_FORWARD:
        if (decision.is_upstream) {
            /* The rules keep such a request elsewhere, and this program is no proxy. */
            dprintf(client, "HTTP/1.1 502 Upstream\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            break;
        }
        /* Here the program would do its work, with the path as the rules left it. */
        dprintf(client, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nConnection: close\r\n\r\nserved %s\n", decision.path.length + 8,
                decision.path.bytes ? decision.path.bytes : "");
        break;
    default:
        if (decision.status == 444) break;
        dprintf(client, "HTTP/1.1 %d Decided\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", decision.status,
                decision.body.length);
        if (decision.body.bytes && write(client, decision.body.bytes, decision.body.length) < 0) perror("write");
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: service RULES PORT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    shunt_options options = SHUNT_OPTIONS;
    options.watches = true;
    shunt_store *store;
    char *message;
    if (shunt_store_open(arguments[1], &options, reloaded, NULL, &store, &message) != SHUNT_OK) {
        fprintf(stderr, "%s\n", message);
        shunt_free(message);
        return 1;
    }
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[2]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0) {
        perror(arguments[2]);
        return 1;
    }
    fprintf(stderr, "listening on 127.0.0.1:%s with libshunt %s\n", arguments[2], shunt_version());
    for (;;) {
        int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        answer(client, store);
        close(client);
    }
}

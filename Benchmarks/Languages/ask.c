/* Asks `shunt decide` about the URLs of a file in turn, over one connection; prints the nanoseconds of an answer, and the number of
 * decisions by a rule.
 *
 *     ask PORT URLS DECISIONS
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4096 };
static char *questions[MOST];
static size_t question_count;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static size_t ask(int connection, size_t count) {
    size_t matches = 0;
    for (size_t index = 0, next = 0; index < count; index++) {
        static char answer[65536];
        size_t length = 0, whole = sizeof answer;
        if (write(connection, questions[next], strlen(questions[next])) < 0) exit(1);
        while (length < whole) {
            ssize_t more = read(connection, answer + length, sizeof answer - 1 - length);
            if (more <= 0) exit(1);
            answer[length += (size_t)more] = 0;
            char *end = strstr(answer, "\r\n\r\n"), *body = strcasestr(answer, "\r\ncontent-length: ");
            if (end) whole = (size_t)(end + 4 - answer) + (body && body < end ? strtoul(body + 18, NULL, 10) : 0);
        }
        if (strcasestr(answer, "\r\nx-shunt-rule: ")) matches++;
        if (++next == question_count) next = 0;
    }
    return matches;
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    FILE *file = fopen(arguments[2], "r");
    char host[1024], path[8192];
    while (file && question_count < MOST && fscanf(file, " http://%1023[^/]%8191s", host, path) == 2)
        if (asprintf(&questions[question_count++], "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host) < 0) return 1;
    int connection = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (question_count == 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) return 1;
    size_t decisions = strtoul(arguments[3], NULL, 10);
    ask(connection, question_count);
    double start = now();
    size_t matches = ask(connection, decisions);
    printf("%.1f %zu\n", (now() - start) / (double)decisions, matches);
    return 0;
}

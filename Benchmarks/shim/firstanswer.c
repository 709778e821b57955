/* firstanswer PORT COMMAND...: milliseconds from the command's exec to its first 200 for /livez; the command is then ended. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int answers(int port) {
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char answer[16] = "";
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    int is_well = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0
        && send(descriptor, request, sizeof request - 1, MSG_NOSIGNAL) > 0
        && recv(descriptor, answer, 12, MSG_WAITALL) == 12 && strncmp(answer + 9, "200", 3) == 0;
    close(descriptor);
    return is_well;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    int port = atoi(arguments[1]), status = 0;
    double start = now();
    pid_t child = fork();
    if (child < 0) return 71;
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        _exit(127);
    }
    while (!answers(port)) {
        if (waitpid(child, &status, WNOHANG) != 0 || now() - start > 30000) return 69;
        struct timespec pause = {.tv_nsec = 500000};
        nanosleep(&pause, NULL);
    }
    printf("%.1f\n", now() - start);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 70;
}

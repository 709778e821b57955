/* firstanswer PATH COMMAND...: milliseconds from the command's exec to its first 200 for that path on a free port, which it is
   told by `--set listen.port=PORT` at its end. The command writes to standard error alone, and is then ended. */
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

static struct sockaddr_in loopback(in_port_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = port};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* In the network's order, as the address has it. */
static in_port_t free_port(void) {
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    int is_bound = bind(descriptor, (struct sockaddr *)&address, size) == 0
        && getsockname(descriptor, (struct sockaddr *)&address, &size) == 0;
    close(descriptor);
    return is_bound ? address.sin_port : 0;
}

static int answers(in_port_t port, const char *path) {
    char request[256];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    struct sockaddr_in address = loopback(port);
    char answer[16] = "";
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    int is_well = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0
        && send(descriptor, request, (size_t)length, MSG_NOSIGNAL) > 0
        && recv(descriptor, answer, 12, MSG_WAITALL) == 12 && strncmp(answer + 9, "200", 3) == 0;
    close(descriptor);
    return is_well;
}

int main(int count, char **arguments) {
    in_port_t port = free_port();
    char setting[32], **command = calloc((size_t)count + 1, sizeof *command);
    int status = 0;
    if (count < 3 || strlen(arguments[1]) > 128 || port == 0 || command == NULL) return 64;
    snprintf(setting, sizeof setting, "listen.port=%d", ntohs(port));
    memcpy(command, arguments + 2, ((size_t)count - 2) * sizeof *command);
    command[count - 2] = "--set";
    command[count - 1] = setting;
    double start = now();
    pid_t child = fork();
    if (child < 0) return 71;
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    while (!answers(port, arguments[1])) {
        if (waitpid(child, &status, WNOHANG) != 0) return 69;
        if (now() - start > 120000) {
            kill(child, SIGKILL);
            return 69;
        }
        struct timespec pause = {.tv_nsec = 500000};
        nanosleep(&pause, NULL);
    }
    printf("%.1f\n", now() - start);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 70;
}

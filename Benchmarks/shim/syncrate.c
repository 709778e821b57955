/* How often a second this disk takes a page and an fdatasync: the ceiling of one commit after the other. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    int descriptor = open(arguments[1], O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (descriptor < 0) return 74;
    char page[4096];
    memset(page, 7, sizeof page);
    double start = now();
    long syncs = 0;
    while (now() - start < 2) {
        if (write(descriptor, page, sizeof page) != (ssize_t)sizeof page || fdatasync(descriptor) != 0) return 74;
        syncs++;
    }
    printf("%.0f\n", (double)syncs / (now() - start));
    close(descriptor);
    unlink(arguments[1]);
    return 0;
}

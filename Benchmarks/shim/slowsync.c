/* Delays fsync and fdatasync by SLOWSYNC_US microseconds each: a slow disk, for LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_a_while(void) {
    const char *text = getenv("SLOWSYNC_US");
    if (text != NULL) usleep((useconds_t)atoi(text));
}

int fsync(int descriptor) {
    static int (*original)(int);
    if (original == NULL) original = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    wait_a_while();
    return original(descriptor);
}

int fdatasync(int descriptor) {
    static int (*original)(int);
    if (original == NULL) original = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    wait_a_while();
    return original(descriptor);
}

/* sigsuspend with a copy of the caller's mask. valgrind 3.19 writes into the mask, and dispatch's is constant: without this it
   breaks off as soon as the daemon's main thread waits. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}

/*
 * A clock that a test moves while the program runs: preloaded, it adds the seconds that stand in the file of CLOCK_FILE to the
 * time of day.  Monotonic clocks and timers stay as they are, as they do when an administrator sets the clock of a machine.
 *
 * libfaketime does not do: within epoll_wait and poll it answers signal handlers with the real time, and PostgreSQL decides in
 * such a handler whether a timeout is over.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *clock_offset; /* NULL: the real time */

__attribute__((constructor)) static void
clock_init(void)
{
    const char *path = getenv("CLOCK_FILE");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    void *page;

    if (file < 0)
        return;
    page = mmap(NULL, sizeof(*clock_offset), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED)
        clock_offset = page;
    (void)close(file);
}

int
clock_gettime(clockid_t clock, struct timespec *at)
{
    int answer = (int)syscall(SYS_clock_gettime, clock, at);

    if (answer == 0 && clock == CLOCK_REALTIME && clock_offset != NULL)
        at->tv_sec += *clock_offset;
    return answer;
}

int
gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t
time(time_t *at)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (at != NULL)
        *at = now.tv_sec;
    return now.tv_sec;
}

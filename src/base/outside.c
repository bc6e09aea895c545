#include "base/outside.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

int64_t
outside_wall_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t
outside_wall_ms(void)
{
    return outside_wall_us() / 1000;
}

void
outside_random(void *bytes, size_t length)
{
    if (getrandom(bytes, length, 0) != (ssize_t)length)
        abort();
}

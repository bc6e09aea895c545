#include "loop/notify.h"

#ifdef HAVE_SYSTEMD
#include <systemd/sd-daemon.h>

void
notify_ready(void)
{
    (void)sd_notify(0, "READY=1");
}

void
notify_stopping(void)
{
    (void)sd_notify(0, "STOPPING=1");
}

int64_t
notify_watchdog_ms(void)
{
    uint64_t every_us = 0;

    if (sd_watchdog_enabled(0, &every_us) <= 0)
        return 0;
    return (int64_t)(every_us / 2000); /* Half of the interval that systemd asks for. */
}

void
notify_alive(void)
{
    (void)sd_notify(0, "WATCHDOG=1");
}

#else

void
notify_ready(void)
{
}

void
notify_stopping(void)
{
}

int64_t
notify_watchdog_ms(void)
{
    return 0;
}

void
notify_alive(void)
{
}

#endif

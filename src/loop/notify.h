/*
 * Readiness and watchdog towards systemd; nothing where there is no systemd.
 */
#ifndef LOOP_NOTIFY_H
#define LOOP_NOTIFY_H

#include <stdint.h>

/* The service is ready; it is stopping. */
void notify_ready(void);
void notify_stopping(void);

/* How often the watchdog wants a sign, in ms; 0: not at all. */
int64_t notify_watchdog_ms(void);
void notify_alive(void);

#endif

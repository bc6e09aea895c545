/*
 * Messages to systemd: readiness and watchdog.  Without systemd these functions do nothing.
 */
#ifndef LOOP_NOTIFY_H
#define LOOP_NOTIFY_H

#include <stdint.h>

/* The service is ready; it is stopping. */
void notify_ready(void);
void notify_stopping(void);

/* Longest time between two calls of notify_alive, in milliseconds: half of the time that systemd allows.  0: there is no
 * watchdog. */
int64_t notify_watchdog_ms(void);
void notify_alive(void);

#endif

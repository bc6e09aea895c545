/*
 * Messages to systemd: readiness and watchdog.  Without systemd these functions do nothing.
 */
#ifndef LOOP_NOTIFY_H
#define LOOP_NOTIFY_H

#include <stdint.h>

/* The service is ready; it is stopping. */
void notify_ready(void);
void notify_stopping(void);

/* Interval for notify_alive, in ms; 0: there is no watchdog. */
int64_t notify_watchdog_ms(void);
void notify_alive(void);

#endif

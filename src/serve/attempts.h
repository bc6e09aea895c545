/*
 * Failed logins, counted per name and per address: after a few, the next one must wait, each time twice as long.  Times are
 * passed in.
 */
#ifndef SERVE_ATTEMPTS_H
#define SERVE_ATTEMPTS_H

#include <stdint.h>

#include "base/attr.h"

struct attempts;

struct attempts *attempts_new(void) NODISCARD;

/* How long the next login with this text, a name or an address, must wait, in milliseconds; 0: it may come. */
int64_t attempts_wait_ms(const struct attempts *attempts, const char *text, int64_t now_ms);

/* A login has begun: it counts as failed until attempts_forgive. */
void attempts_count(struct attempts *attempts, const char *text, int64_t now_ms);

/* The login was right. */
void attempts_forgive(struct attempts *attempts, const char *text);

/* NULL is fine. */
void attempts_free(struct attempts *attempts);

#endif

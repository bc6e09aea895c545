/*
 * The log: off, unless a trace is wanted.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "sim.h"

struct log_number
log_number_i64(int64_t value)
{
    struct log_number number;

    (void)snprintf(number.text, sizeof(number.text), "%" PRId64, value);
    return number;
}

struct log_number
log_number_double(double value)
{
    struct log_number number;

    (void)snprintf(number.text, sizeof(number.text), "%.1f", value);
    return number;
}

bool
log_is_on(enum log_level level)
{
    (void)level;
    return sim->is_trace;
}

void
log_hide(const char *secret)
{
    (void)secret;
}

void
log_mask(char *text)
{
    (void)text;
}

void
log_event(enum log_level level, const char *event, ...)
{
    va_list args;
    const char *key;

    if (!log_is_on(level))
        return;
    (void)printf("%12.6f      %s", (double)sim->now_us / 1e6, event);
    va_start(args, event);
    while ((key = va_arg(args, const char *)) != NULL)
        (void)printf(" %s=%s", key, va_arg(args, const char *));
    va_end(args);
    (void)printf("\n");
}

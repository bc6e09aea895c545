/*
 * Values of options that reeve new writes into SQL.  None of them has a character that would need an escape in a string literal.
 */
#ifndef CLI_NEW_VALUES_H
#define CLI_NEW_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* A text that PostgreSQL reads as an interval, such as "10 seconds", by value. */
struct new_interval {
    char text[40];
};

/* The interval of these milliseconds, in the largest unit that gives a whole number. */
struct new_interval new_interval(int64_t ms);

/* Is this an http or https URL of printable ASCII without quotes?  False: it is not, as `err` says. */
NODISCARD bool new_check_url(const char *url, struct err *err);

/* An array literal of the events of triggers, such as "{INSERT,UPDATE}", by value. */
struct new_events {
    char text[32];
};

/* The events of a list such as "update,insert", which the table of options has checked. */
struct new_events new_events(const char *list);

#endif

/*
 * One line per event on stderr, as key=value or as JSON.  The event is a fixed phrase; values that vary are fields.  A line
 * never has a payload, a header value, a connection string or a secret.
 *
 *     log_event(LOG_INFO, "task completed", "task_id", LOG_I64(184), "outcome", "succeeded", NULL);
 *
 * Fields are pairs of texts, ended by NULL.  LOG_I64 and LOG_DBL make texts of numbers; these texts live until the end of
 * the enclosing block.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/banned.h"

/* Levels, the most severe first. */
enum log_level {
    LOG_ERROR, /* an operator must act */
    LOG_WARN,  /* a problem that the program has dealt with */
    LOG_INFO,  /* life cycle */
    LOG_DEBUG, /* everything else */
};

/* A number as text, for one call of log_event; use LOG_I64 and LOG_DBL. */
struct log_number {
    char text[32];
};

/* Numbers as text, by value. */
struct log_number log_number_i64(int64_t value);
struct log_number log_number_double(double value);
#define LOG_I64(value) (log_number_i64((int64_t)(value)).text)
#define LOG_DBL(value) (log_number_double(value).text)

/* Set the least severe level that is written, and the format.  False: the word is unknown, and nothing has changed. */
NODISCARD bool log_set_level(const char *word);
NODISCARD bool log_set_format(const char *word);

/* Writes *** instead of this text in every later line.  The text is copied.  A text of less than 6 bytes
 * is not hidden.  Of more than BOUND_SECRETS texts, the latest are hidden. */
void log_hide(const char *secret);

/* Writes *** instead of each hidden secret in `text`, which becomes shorter. */
void log_mask(char *text);

/* Would an event of this level be written? */
bool log_is_on(enum log_level level);

/* Writes one line, cut to about BOUND_LOG_BYTES.  A field cannot have a NULL value, since NULL ends the list.  No text is
 * kept.  A line that cannot be written is dropped. */
void log_event(enum log_level level, const char *event, ...) __attribute__((sentinel));

#endif

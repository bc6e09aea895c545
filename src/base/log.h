/*
 * One line per event on stderr, as key=value or as JSON.  The event is a fixed phrase;
 * what varies goes into fields.  Never payloads, header values, connection strings or
 * secrets.
 *
 *     log_event(LOG_INFO, "task completed", "task_id", LOG_I64(184), "outcome", "succeeded", NULL);
 *
 * Fields are pairs of texts, ended by NULL; LOG_I64 and LOG_DBL make texts of numbers
 * that live until the end of the enclosing block.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/banned.h"

enum log_level {
    LOG_ERROR, /* someone must act */
    LOG_WARN,  /* survived, and says how */
    LOG_INFO,  /* life cycle */
    LOG_DEBUG, /* the rest */
};

struct log_number {
    char text[32];
};

struct log_number log_number_i64(int64_t value);
struct log_number log_number_double(double value);
#define LOG_I64(value) (log_number_i64((int64_t)(value)).text)
#define LOG_DBL(value) (log_number_double(value).text)

/* Choose what is written and how.  Both refuse an unknown word. */
NODISCARD bool log_set_level(const char *word);
NODISCARD bool log_set_format(const char *word);

/* Never write this text: where a line has it, it says *** instead.  Short texts are not hidden. */
void log_hide(const char *secret);

/* Put *** for each such secret in a text that goes elsewhere. */
void log_mask(char *text);

/* Would an event of this level be written? */
bool log_is_on(enum log_level level);

/* Write one line.  Fields with a NULL value cannot be given: the list would end. */
void log_event(enum log_level level, const char *event, ...) __attribute__((sentinel));

#endif

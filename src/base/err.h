/*
 * An operation that failed, as a value.  Errors travel up until someone can act on
 * them; who ends one logs it or records it, once.  Text follows PostgreSQL's grammar:
 * lower case, no period, values in double quotes.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/banned.h"
#include "base/bounds.h"

enum err_kind {
    ERR_NONE,
    ERR_RETRY,   /* may work later */
    ERR_REFUSED, /* will not work, as asked */
    ERR_LIMIT,   /* larger than we allow */
};

struct err {
    enum err_kind kind;
    char code[8];                    /* SQLSTATE, or "" */
    char message[BOUND_ERROR_BYTES]; /* what was wrong, with which value */
    char hint[BOUND_ERROR_BYTES];    /* what to do about it, or "" */
};

/* Fill `err` and return false, so that failing is one line.  NULL `err` is fine. */
bool err_set(struct err *err, enum err_kind kind, const char *code, const char *format, ...) FORMAT(4, 5);

/* Add a hint to an error; returns false too. */
bool err_hint(struct err *err, const char *format, ...) FORMAT(2, 3);

/* Allocation that cannot fail: out of memory ends the process.  A dead worker is an
 * ordinary case, and what could exhaust memory is bounded. */
void *must_alloc(size_t bytes) NODISCARD;
void *must_realloc(void *old, size_t bytes) NODISCARD;
char *must_strdup(const char *text) NODISCARD;
char *must_format(const char *format, ...) FORMAT(1, 2) NODISCARD;

#endif

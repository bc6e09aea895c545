/*
 * A failure as a value.  An error travels up to the function that can act on it; that function logs or records it, once.
 * The text follows the style of PostgreSQL: lower case, no period, values in double quotes.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/banned.h"
#include "base/bounds.h"

/* What the caller may do about an error. */
enum err_kind {
    ERR_NONE,
    ERR_RETRY,   /* may work later */
    ERR_REFUSED, /* will not work with these values */
    ERR_LIMIT,   /* larger than a limit of ours */
};

/* An error, by value: it owns nothing. */
struct err {
    enum err_kind kind;
    char code[8];                    /* SQLSTATE; "": none */
    char message[BOUND_ERROR_BYTES]; /* what was wrong, with which value */
    char hint[BOUND_ERROR_BYTES];    /* what to do about it; "": none */
};

/* Fills `err`, without a hint, and returns false, so that a failure takes one line.  Texts are copied and cut if they are too
 * long.  code NULL: none.  `err` NULL is fine. */
bool err_set(struct err *err, enum err_kind kind, const char *code, const char *format, ...) FORMAT(4, 5);

/* Adds a hint, which is copied, to an error and returns false.  `err` NULL is fine. */
bool err_hint(struct err *err, const char *format, ...) FORMAT(2, 3);

/* Allocation that cannot fail: out of memory ends the process.  The caller frees the result.  The death of a worker is an
 * ordinary case, and everything that could exhaust memory has a limit.  Sizes are in bytes.  The memory of must_alloc is
 * zero; must_realloc leaves new bytes as they are, takes NULL for `old`, and does not take 0 bytes. */
void *must_alloc(size_t bytes) NODISCARD;
void *must_realloc(void *old, size_t bytes) NODISCARD;
char *must_strdup(const char *text) NODISCARD;
char *must_format(const char *format, ...) FORMAT(1, 2) NODISCARD;

#endif

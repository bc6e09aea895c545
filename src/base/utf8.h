/*
 * Foreign bytes made fit to be stored: whatever a provider sends, the result is valid
 * UTF-8 that PostgreSQL and JSON accept.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Add at most `most` bytes of cleaned text: broken sequences, NUL and surrogates become
 * U+FFFD, and no character is cut in two.  True: all of it was added. */
bool utf8_clean(struct buf *to, const char *bytes, size_t length, size_t most);

/* The same on one line: control characters become spaces. */
bool utf8_clean_line(struct buf *to, const char *bytes, size_t length, size_t most);

/* Valid UTF-8 without NUL? */
bool utf8_is_valid(const char *bytes, size_t length);

#endif

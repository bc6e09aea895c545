/*
 * Cleaning of foreign bytes: for any input, the result is valid UTF-8 that PostgreSQL and JSON accept.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What a sequence of bytes is. */
enum utf8_kind {
    UTF8_SEEN,    /* a visible character; line breaks are not visible */
    UTF8_CONTROL, /* C0, DEL, C1: a terminal obeys it */
    UTF8_HIDDEN,  /* changes the order of text, ends a line, or is invisible */
    UTF8_BROKEN,  /* one byte that is NUL or not UTF-8 */
};

/* The kind, the length in bytes and the code point of the character at `bytes`.  UTF8_BROKEN has length 1 and code point
 * U+FFFD.  `left`, the number of bytes up to the end of the text, must be at least 1. */
enum utf8_kind utf8_next(const char *bytes, size_t left, size_t *ret_length, unsigned int *ret_number);

/* Adds a text for a terminal or a log: characters that are not UTF8_SEEN are written as \uXXXX.  has_lines: line breaks
 * and tabs stay.  A text that is longer than the buffer allows is cut, and to->overflowed is set. */
void utf8_show(struct buf *to, const char *bytes, size_t length, bool has_lines);

/* Adds at most `most` bytes of cleaned text: broken sequences, NUL and surrogates become U+FFFD, and no character is cut in
 * two.  True: `most` was enough.  Whether the buffer itself was large enough, to->overflowed says. */
bool utf8_clean(struct buf *to, const char *bytes, size_t length, size_t most);

/* The same on one line: control characters and hidden ones become spaces. */
bool utf8_clean_line(struct buf *to, const char *bytes, size_t length, size_t most);

/* The same on several lines: line breaks and tabs stay. */
bool utf8_clean_lines(struct buf *to, const char *bytes, size_t length, size_t most);

/* Does the text have a control character other than a tab? */
bool utf8_has_control(const char *text);

/* Is the text valid UTF-8 without NUL? */
bool utf8_is_valid(const char *bytes, size_t length);

#endif

/*
 * Foreign bytes made fit to be stored: whatever a provider sends, the result is valid
 * UTF-8 that PostgreSQL and JSON accept.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum utf8_kind {
    UTF8_SEEN,    /* a character that shows what it is; line breaks are none */
    UTF8_CONTROL, /* C0, DEL, C1: a terminal obeys it */
    UTF8_HIDDEN,  /* changes the order of text, ends a line, or is not seen */
    UTF8_BROKEN,  /* not UTF-8, or NUL: one byte */
};

/* What begins at `bytes`, of which at least one is left; its length and its number. */
enum utf8_kind utf8_next(const char *bytes, size_t left, size_t *ret_length, unsigned int *ret_number);

/* Add a text for a terminal or a log: what is not UTF8_SEEN is written as \u0000, line breaks too
 * unless they are wanted. */
void utf8_show(struct buf *to, const char *bytes, size_t length, bool has_lines);

/* Add at most `most` bytes of cleaned text: broken sequences, NUL and surrogates become
 * U+FFFD, and no character is cut in two.  True: all of it was added. */
bool utf8_clean(struct buf *to, const char *bytes, size_t length, size_t most);

/* The same on one line: control characters and hidden ones become spaces. */
bool utf8_clean_line(struct buf *to, const char *bytes, size_t length, size_t most);

/* Has it a control character, tabs aside? */
bool utf8_has_control(const char *text);

/* Valid UTF-8 without NUL? */
bool utf8_is_valid(const char *bytes, size_t length);

#endif

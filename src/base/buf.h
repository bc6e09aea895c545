/*
 * Growable text with a ceiling, always terminated by NUL.  An addition that does not fit is refused and sets `overflowed`;
 * the caller looks at it once, at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* A text that grows up to its limit.  buf_init makes it, buf_release frees it. */
struct buf {
    char *text;      /* owned; "" until something is added */
    size_t length;   /* bytes, without the NUL */
    size_t room;     /* bytes allocated */
    size_t ceiling;  /* bytes allowed, without the NUL */
    bool overflowed; /* an addition was refused */
};

/* Makes an empty buffer that may grow to `ceiling` bytes.  buf_release frees it. */
void buf_init(struct buf *buf, size_t ceiling);

/* Add a copy of bytes (NULL with length 0 is fine), of a text, or of a formatted text.  An addition that would pass the
 * ceiling adds nothing and sets `overflowed`. */
void buf_add(struct buf *buf, const char *bytes, size_t length);
void buf_puts(struct buf *buf, const char *text);
void buf_printf(struct buf *buf, const char *format, ...) FORMAT(2, 3);

/* Adds a text as a JSON string, with its quotes.  Characters that are not UTF8_SEEN become escapes.  If `overflowed` is set
 * afterwards, a part of the string may have been added. */
void buf_json(struct buf *buf, const char *text);

/* Empties the buffer, clears `overflowed` and keeps the memory. */
void buf_clear(struct buf *buf);

/* Frees the memory.  The buffer is empty afterwards, with the same ceiling, and may be used again. */
void buf_release(struct buf *buf);

#endif

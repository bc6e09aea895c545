/*
 * Growable text with a ceiling.  Always terminated by NUL.  A buffer that would grow
 * past its ceiling stays as it was and remembers that it overflowed; the caller asks
 * once, at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct buf {
    char *text;      /* owned; "" until something is added */
    size_t length;   /* bytes, without the NUL */
    size_t room;     /* bytes allocated */
    size_t ceiling;  /* bytes allowed, without the NUL */
    bool overflowed; /* something was refused */
};

/* An empty buffer that may grow to `ceiling` bytes. */
void buf_init(struct buf *buf, size_t ceiling);

/* Add bytes (NULL is fine for none), text, or formatted text. */
void buf_add(struct buf *buf, const char *bytes, size_t length);
void buf_puts(struct buf *buf, const char *text);
void buf_printf(struct buf *buf, const char *format, ...) FORMAT(2, 3);

/* Add text as a JSON string, quotes included. */
void buf_json(struct buf *buf, const char *text);

/* Empty it, keeping its memory. */
void buf_clear(struct buf *buf);

/* Give its memory back. */
void buf_release(struct buf *buf);

#endif

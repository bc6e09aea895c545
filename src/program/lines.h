/*
 * Cuts a stream of bytes into lines.  A line over the limit is not kept: its bytes are dropped up to the next line break.  It is
 * reported when it passes the limit, because its line break may never come.
 */
#ifndef PROGRAM_LINES_H
#define PROGRAM_LINES_H

#include "base/buf.h"

/* A stream.  lines_init makes it, lines_release frees it. */
struct lines {
    struct buf partial; /* bytes of the line that is not complete yet */
    bool is_skipping;   /* the line is over the limit */
};

/* Called for each line, without its line break.  `text` has a NUL behind its last byte.  text NULL: this line is over the
 * limit; it is called once for such a line.  False: read no more of these bytes. */
typedef bool lines_fn(void *cookie, const char *text, size_t length);

/* Makes a stream whose lines have at most `most` bytes. */
void lines_init(struct lines *lines, size_t most);

/* Takes bytes and calls `fn` for each line that they complete. */
void lines_take(struct lines *lines, const char *bytes, size_t length, lines_fn *fn, void *cookie);

/* The stream has ended.  True: its last line has no line break; that line is in `partial`, or was over the limit. */
bool lines_are_broken(const struct lines *lines);

/* Frees the bytes that are kept.  The stream may be used again. */
void lines_release(struct lines *lines);

#endif

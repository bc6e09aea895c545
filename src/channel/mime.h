/*
 * A mail as text: multipart/alternative with a plain and an HTML part, both in UTF-8.  Headers are encoded where necessary.
 * All lines are folded and encoded, so that any server forwards the mail unchanged.
 */
#ifndef CHANNEL_MIME_H
#define CHANNEL_MIME_H

#include <time.h>

#include "base/buf.h"

/* A mail to be written.  The caller owns all texts, which are UTF-8.  The functions of this file only add to a buffer; the
 * caller looks at its `overflowed`. */
struct mime_mail {
    const char *from; /* "a@b" or "Name <a@b>"; no line breaks */
    const char *to;
    const char *reply_to; /* NULL: none */
    const char *subject;
    const char *html;
    const char *text;       /* NULL: made from the HTML */
    const char *message_id; /* with angle brackets */
    time_t date;            /* seconds since 1970 */
};

/* Adds the address in "Name <a@b>", or the whole text if it has no brackets, without spaces around it. */
void mime_address(const char *text, struct buf *ret_address);

/* Adds <key@domain of from>, which is the same for every try, so that a repetition is recognisable. */
void mime_message_id(const char *key, const char *from, struct buf *ret_id);

/* Adds the whole message, with CR LF at the end of lines. */
void mime_write(const struct mime_mail *mail, struct buf *to);

/* Adds the readable text of an HTML document. */
void mime_text_of_html(const char *html, struct buf *to);

#endif

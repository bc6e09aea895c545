/*
 * A mail as text: multipart/alternative with a plain and an HTML part, both UTF-8, headers
 * encoded where they need it.  Everything is folded and encoded so that any server passes
 * it on unchanged.
 */
#ifndef CHANNEL_MIME_H
#define CHANNEL_MIME_H

#include <time.h>

#include "base/buf.h"

struct mime_mail {
    const char *from; /* "a@b" or "Name <a@b>"; no line breaks */
    const char *to;
    const char *reply_to; /* or NULL */
    const char *subject;
    const char *html;
    const char *text;       /* NULL: made from the HTML */
    const char *message_id; /* with angle brackets */
    time_t date;
};

/* The address in "Name <a@b>", or all of it: without brackets and spaces around. */
void mime_address(const char *text, struct buf *ret_address);

/* <key@domain of from>: the same for every try, so that a repetition is recognisable. */
void mime_message_id(const char *key, const char *from, struct buf *ret_id);

/* The whole message, lines ended by CR LF. */
void mime_write(const struct mime_mail *mail, struct buf *to);

/* What a reader of plain text should see of an HTML document. */
void mime_text_of_html(const char *html, struct buf *to);

#endif

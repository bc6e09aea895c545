/*
 * The secrets of one call, and their removal from the answers of the peer.  Each secret is searched for as it is, and in the
 * spellings in which servers repeat input: JSON, percent escapes, HTML, hex, and base64 with any text around it.  Secrets
 * shorter than MASK_LEAST bytes are not searched for: they would match everywhere.
 */
#ifndef CHANNEL_MASK_H
#define CHANNEL_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Shortest secret that is masked, in bytes: shorter ones would mask ordinary text. */
enum { MASK_LEAST = 4 };

struct mask_item;

/* Secrets of one call.  {0} is an empty mask; mask_release frees it. */
struct mask {
    struct mask_item *items; /* owned; the longest first; NULL: none */
};

/* Adds a secret of `length` bytes, which is copied.  A secret shorter than MASK_LEAST, or known already, is left out. */
void mask_add(struct mask *mask, const char *bytes, size_t length);

/* Writes *** instead of every secret in the text.  is_cut: the text was cut, so the beginning of a secret at its end is
 * replaced, too. */
void mask_apply(const struct mask *mask, struct buf *text, bool is_cut);

/* Wipes and frees all secrets. */
void mask_release(struct mask *mask);

#endif

/*
 * Secrets that one call used, wherever they came from, and how they are taken out of what the
 * peer says.  Each is looked for as it is and in the spellings in which servers repeat what they
 * were sent: JSON, percent escapes, HTML, hex, and base64 of any text around it.  Secrets
 * below MASK_LEAST bytes are not looked for: they would be found everywhere.
 */
#ifndef CHANNEL_MASK_H
#define CHANNEL_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { MASK_LEAST = 4 };

struct mask_item;

struct mask {
    struct mask_item *items; /* the longest first; NULL: none */
};

/* Remember a secret.  It is copied. */
void mask_add(struct mask *mask, const char *bytes, size_t length);

/* Put *** for every secret in the text.  is_cut: what follows is missing, so the beginning of a
 * secret at the end is one too. */
void mask_apply(const struct mask *mask, struct buf *text, bool is_cut);

/* Wipe and forget all. */
void mask_release(struct mask *mask);

#endif

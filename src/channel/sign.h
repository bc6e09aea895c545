/*
 * Signatures of requests, over the exact bytes of the body.
 */
#ifndef CHANNEL_SIGN_H
#define CHANNEL_SIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Adds an HMAC to `text`, as lower-case hex or as base64 without line breaks.  False: the algorithm (md5, sha1, sha224,
 * sha256, sha384, sha512) or the encoding (hex, base64) is unknown, and nothing was added.  Lengths are in bytes. */
NODISCARD bool sign_hmac(const char *algorithm, const char *encoding, const char *key, size_t key_length, const char *body,
    size_t body_length, struct buf *text);

/* Adds the value of webhook-signature of the Standard Webhooks scheme: one "v1,..." for each secret.  `secrets` has one or
 * more, separated by spaces; `timestamp` is in seconds since 1970.  False: a secret is not base64, with or without "whsec_"
 * before it, as `err` says; a part of the value may have been added. */
NODISCARD bool sign_standard(const char *secrets, const char *id, int64_t timestamp, const char *body, size_t body_length,
    struct buf *text, struct err *err);

#endif

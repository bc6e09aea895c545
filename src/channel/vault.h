/*
 * Sealed values, which only the program can read.  They are encrypted with AES-256-GCM, with a key that is not in the
 * database, and are bound to their name.
 */
#ifndef CHANNEL_VAULT_H
#define CHANNEL_VAULT_H

#include <stdbool.h>

#include "base/err.h"

/* A key of AES-256.  The owner wipes it. */
struct vault_key {
    unsigned char bytes[32];
};

/* Reads a key of 64 hex digits.  False: the text is something else, as `err` says, and *ret_key is unchanged. */
NODISCARD bool vault_key_read(const char *hex, struct vault_key *ret_key, struct err *err);

/* The sealed text; the caller frees it.  Two calls with one value give different texts.  If OpenSSL
 * has no cipher or no random bytes, the process aborts. */
char *vault_seal(const struct vault_key *key, const char *name, const char *value) NODISCARD;

/* The value; the caller frees it with secret_free, which wipes it.  NULL: the text was sealed with another key or for
 * another name, or was changed. */
char *vault_open(const struct vault_key *key, const char *name, const char *sealed) NODISCARD;

/* Does this text begin like a sealed value?  Whether it can be opened, only vault_open tells. */
bool vault_is_sealed(const char *text);

#endif

/*
 * Values that only the program can read: sealed with AES-256-GCM under a key that is outside
 * the database, and bound to their name.
 */
#ifndef CHANNEL_VAULT_H
#define CHANNEL_VAULT_H

#include <stdbool.h>

#include "base/err.h"

struct vault_key {
    unsigned char bytes[32];
};

/* From 64 hex digits. */
NODISCARD bool vault_key_read(const char *hex, struct vault_key *ret_key, struct err *err);

/* The sealed text, to be freed: never twice the same for one value. */
char *vault_seal(const struct vault_key *key, const char *name, const char *value) NODISCARD;

/* The value, to be wiped and freed by secret_free; NULL: sealed with another key, or for another
 * name, or changed since. */
char *vault_open(const struct vault_key *key, const char *name, const char *sealed) NODISCARD;

/* Does this text claim to be sealed? */
bool vault_is_sealed(const char *text);

#endif

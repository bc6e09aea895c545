/*
 * Secrets by name.  A task says which secret it needs, never its value: that comes from
 * REEVE_SECRET_<NAME> (upper case, other characters as "_"), or from the file <name> in
 * $CREDENTIALS_DIRECTORY.
 */
#ifndef CHANNEL_SECRET_H
#define CHANNEL_SECRET_H

#include "base/attr.h"

/* The value, to be wiped and freed by secret_free, or NULL if there is none. */
char *secret_find(const char *name) NODISCARD;

/* NULL is fine. */
void secret_free(char *value);

#endif

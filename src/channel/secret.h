/*
 * Secrets of the program's environment, by name: from REEVE_SECRET_<NAME> (upper case, other characters as
 * "_"), or from the file of that name in $CREDENTIALS_DIRECTORY.  The program's own settings have other
 * names in both places, so no name leads to one of them.
 */
#ifndef CHANNEL_SECRET_H
#define CHANNEL_SECRET_H

#include "base/attr.h"

/* The value, to be wiped and freed by secret_free, or NULL if there is none. */
char *secret_find(const char *name) NODISCARD;

/* NULL is fine. */
void secret_free(char *value);

#endif

/*
 * Named secrets in the environment of the program: the variable REEVE_SECRET_<NAME> (in upper case, with "_" for other
 * characters), or the file of that name in $CREDENTIALS_DIRECTORY.  The program's own settings have other names there,
 * so that no secret name leads to one of them.
 */
#ifndef CHANNEL_SECRET_H
#define CHANNEL_SECRET_H

#include "base/attr.h"

/* The value; the caller frees it with secret_free, which wipes it.  NULL: there is none, it is empty,
 * or its file is longer than BOUND_SECRET_BYTES.  The value is hidden from the log from now on. */
char *secret_find(const char *name) NODISCARD;

/* Wipes and frees a value.  NULL is fine. */
void secret_free(char *value);

#endif

/*
 * The environment of the children of `reeve run`: only what is named.  Variables of this program, of libpq and of its secrets are
 * never passed on.
 */
#ifndef CLI_CHILD_ENV_H
#define CLI_CHILD_ENV_H

#include "base/err.h"

/* Makes a list of NAME=VALUE, ended by NULL; child_env_free frees it.  `names`: NAME (our value) or NAME=VALUE, separated by
 * commas; NULL: none.  `file`: path of a file with a line NAME=VALUE each; NULL: none.  PATH, LANG, LC_ALL and TZ are always
 * passed on.  A later value replaces an earlier one.  False: a name is wrong or not to be passed on, or the file cannot be read,
 * as `err` says. */
NODISCARD bool child_env_make(const char *names, const char *file, char ***ret_list, struct err *err);

/* Frees the list and its texts.  NULL is fine. */
void child_env_free(char **list);

#endif

/*
 * A path below a base URL.  The base is the administrator's, the path a stranger's: whatever it is,
 * the request goes to the base's host and below the base's path.
 */
#ifndef HTTP_HTTP_BASE_H
#define HTTP_HTTP_BASE_H

#include <stdbool.h>

#include "base/err.h"

/* Could this path ("/name?query") lead out of its base for any reader on the way: by a dot segment in any
 * spelling, a backslash, an empty first segment, a control character, or an escape that is broken, is
 * itself escaped, or is no UTF-8? */
NODISCARD bool http_base_is_left_by(const char *path);

/* The base's URL with the path added to its own, to be freed.  False: the base is no plain http or https URL
 * (a user, a query or a fragment is none of it), or the path might leave it. */
NODISCARD bool http_base_join(const char *base, const char *path, char **ret_url, struct err *err);

#endif

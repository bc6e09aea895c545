/*
 * A path below a base URL.  The administrator sets the base, and a stranger may choose the path.  For any path, the request
 * goes to the host of the base and below the path of the base.
 */
#ifndef HTTP_HTTP_BASE_H
#define HTTP_HTTP_BASE_H

#include <stdbool.h>

#include "base/err.h"

/* Could this path ("/name?query") lead out of its base for any reader on the way: by a dot segment in any
 * spelling, a backslash, an empty first segment, a control character, or an escape that is broken, is
 * itself escaped, or is no UTF-8? */
NODISCARD bool http_base_is_left_by(const char *path);

/* Sets *ret_url to the base with the path added; the caller frees it.  False, with `err`: the base is not a plain http or https
 * URL (without user, query and fragment), or the path might leave the base. */
NODISCARD bool http_base_join(const char *base, const char *path, char **ret_url, struct err *err);

#endif

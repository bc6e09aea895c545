/*
 * Reads the document of a page.
 */
#ifndef PAGES_DOCUMENT_H
#define PAGES_DOCUMENT_H

#include <jansson.h>

#include "base/attr.h"

/* Reads JSON.  PostgreSQL keeps numbers that no machine word holds; such a number becomes a text with the same digits.  The
 * caller releases the document (json_decref).  NULL: it is no JSON, or too deep. */
NODISCARD json_t *document_read(const char *json);

#endif

/*
 * Names of SQL objects that a person writes on the command line, such as billing.reminder.  They are taken literally: case
 * is kept, and quotes are none of the characters.
 */
#ifndef CLI_SQL_NAME_H
#define CLI_SQL_NAME_H

#include <stdbool.h>

#include "base/err.h"

enum { SQL_NAME_BYTES = 63 }; /* longest identifier of PostgreSQL */

/* Which characters a name may have. */
enum sql_name_kind {
    SQL_NAME_NEW,      /* of an object that we make: a-z, 0-9 and _, a letter first, and in no schema of PostgreSQL or Reeve */
    SQL_NAME_EXISTING, /* of an object that exists: also capital letters, $ and - */
};

/* A name with its schema, by value. */
struct sql_name {
    char schema[SQL_NAME_BYTES + 1];
    char name[SQL_NAME_BYTES + 1];
};

/* An identifier as SQL needs it, by value: with double quotes if it is a keyword or has other characters than SQL_NAME_NEW. */
struct sql_quoted {
    char text[SQL_NAME_BYTES + 3];
};

/* Reads "schema.name".  `affix` is the number of bytes that the longest derived identifier adds to the name.  False: the text is
 * no such name, or it is too long, as `err` says. */
NODISCARD bool sql_name_read(const char *text, enum sql_name_kind kind, int affix, struct sql_name *ret_name, struct err *err);

/* Is the text an identifier with these characters?  False: it is not, as `err` says; `what` names it there. */
NODISCARD bool sql_name_check(const char *what, const char *text, enum sql_name_kind kind, struct err *err);

/* Quotes an identifier that sql_name_check accepts. */
struct sql_quoted sql_name_quote(const char *identifier);

#endif

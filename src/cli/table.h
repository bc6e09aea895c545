/*
 * Rows as a table.  On a terminal the table fits: the least important columns are left out, long texts are cut with an
 * ellipsis, states have colours, and times are relative.  Anywhere else it is the same for every reader: all columns, whole
 * texts, absolute times, no colours.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "db/db_result.h"

/* How a table looks. */
struct table_style {
    const char *columns; /* names of the columns to show, the most important first, separated by spaces; NULL: all */
    int width;           /* characters of a line; 0: no limit, and texts are whole */
    int lines;           /* rows at most; 0: no limit */
    bool has_colour;
    bool is_wide; /* show all columns, also those that `columns` does not name */
    double now;   /* seconds since 1970: times are relative to it; 0: times are absolute */
};

/* Prints the rows.  Texts of strangers are shown without characters that a terminal obeys. */
void table_print(FILE *to, const struct db_result *result, const struct table_style *style);

/* Characters that a text takes on a terminal: 2 for a wide character, 0 for one that joins the last. */
int table_text_width(const char *text);

#endif

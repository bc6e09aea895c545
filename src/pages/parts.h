/*
 * Building blocks of the pages: values of a document, tables, filters, buttons, blocks of JSON.
 */
#ifndef PAGES_PARTS_H
#define PAGES_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "pages/html.h"
#include "pages/page.h"

/* --- values of a document ------------------------------------------------------------ */

/* Room for a number as a text. */
struct part_word {
    char text[40];
};

/* The field as a text: a text itself, a number in `word`, yes or no for a boolean, otherwise "". */
const char *part_text(const json_t *row, const char *key, struct part_word *word);

/* The field as a number; 0 if it is none. */
long long part_int(const json_t *row, const char *key);
double part_real(const json_t *row, const char *key);

/* Is the field there, and not null? */
bool part_has(const json_t *row, const char *key);

/* Is the field true? */
bool part_is(const json_t *row, const char *key);

/* May the viewer change something that needs this right? */
bool part_may(const struct html *html, enum page_right right);

/* --- values as HTML ------------------------------------------------------------------ */

/* How a value is shown. */
enum part_cell {
    CELL_TEXT,    /* a text, a number, or an array of texts; cut after PART_CUT characters */
    CELL_NAME,    /* the same, for a short name: it is not broken into lines */
    CELL_CODE,    /* the same in the font of code */
    CELL_NUMBER,  /* to the right */
    CELL_TIME,    /* a time */
    CELL_STATE,   /* a state, status, outcome or reason, with a colour */
    CELL_SECONDS, /* a number of seconds, as a duration */
    CELL_JSON,    /* a small JSON value on one line, cut */
    CELL_TASK,    /* ids with a link to their page, here and below */
    CELL_PROCESS,
    CELL_JOB,
    CELL_COMMAND,
    CELL_BULK,
    CELL_QUEUE, /* names with a link to the page of tasks, queues ... */
    CELL_TYPE,
    CELL_SCHEDULE,
    CELL_WEBHOOK,
};

enum {
    PART_CUT = 160,        /* characters of a text in a table */
    PART_JSON_CUT = 20000, /* characters of a block of JSON */
    PART_LONG_CUT = 4000,  /* characters of a long text on a page of its own */
};

/* Adds a value; null is nothing. */
void part_value(struct html *html, enum part_cell cell, const json_t *value);

/* Adds a time as it came from the database.  A script shows it relative to now, in the viewer's zone. */
void part_time(struct html *html, const char *time);

/* Adds a duration of so many seconds. */
void part_seconds(struct html *html, double seconds);

/* Adds a block of JSON with sorted keys, closed at first.  null: nothing. */
void part_json(struct html *html, const char *title, const json_t *value);

/* --- tables and lists ---------------------------------------------------------------- */

/* A column of a table, or a line of a list of values. */
struct part_column {
    const char *title;
    const char *key; /* field of the row */
    enum part_cell cell;
};

/* A table of rows.  All texts are static. */
struct part_table {
    const char *caption; /* for readers of screens */
    const char *key;     /* field that names a row; NULL: none */
    const char *empty;   /* what to say, and to do next, if there are no rows */
    const struct part_column *columns;
    int count;
    /* Adds links and buttons in a last cell; NULL: there is none. */
    void (*acts)(struct html *html, const json_t *row);
};

/* Adds the table, or its sentence for no rows. */
void part_table(struct html *html, const struct part_table *table, const json_t *rows);

/* Adds a list of names and values; fields that are null are left out. */
void part_list(struct html *html, const struct part_column *columns, int count, const json_t *row);

/* --- filters and pages of a list ----------------------------------------------------- */

/* A field of a filter. */
struct part_filter {
    const char *name; /* of the query argument */
    const char *label;
    const char *const *choices; /* values to choose from, ends with NULL; NULL: a text */
    const char *hint;           /* shown in an empty field; NULL: nothing */
};

/* Value of a query argument of this page; "": not given. */
const char *part_argument(const struct html *html, const char *name);

/* Adds the form of the filters. */
void part_filters(struct html *html, const struct part_filter *filters, int count);

/* Adds links to the next part of a list, by the cursor of its document, and back to its first part; and says how far back the
 * search looked. */
void part_pager(struct html *html, const json_t *data);

/* --- acts ---------------------------------------------------------------------------- */

/* Adds a link to the confirmation of an act, "/tasks/4711/cancel"; `kind` is "", "danger" or "main". */
void part_act(struct html *html, const char *path, const char *label, const char *kind);

/* Formats a path; {} becomes the operand, encoded as one segment.  The caller frees it. */
char *part_path(const char *pattern, const char *operand);

/* The same for an act on the thing with this operand: part_act with its path. */
void part_act_on(struct html *html, const char *pattern, const char *operand, const char *label, const char *kind);

/* Adds the hidden fields that each form needs. */
void part_hidden(struct html *html, const char *back);

/* Adds a field of a form with its label; `type` is that of an input, or "textarea". */
void part_field(struct html *html, const char *name, const char *label, const char *type, const char *value, const char *hint);

/* Value of a field on a confirmation, by its place in the row of the act; "": not given. */
const char *part_given(const struct html *html, int field);

/* Adds the heading of a part of the page; `note` stands beside it ("": nothing). */
void part_heading(struct html *html, const char *title, const char *note);

#endif

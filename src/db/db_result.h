/*
 * The rows of an answer, read by position.  A result and its texts belong to whoever gave the result: they
 * are valid during the callback of a db_conn, or until the next query of a db_once.  Rows and columns count from 0.
 */
#ifndef DB_DB_RESULT_H
#define DB_DB_RESULT_H

#include <stdbool.h>
#include <stdint.h>

struct db_result;

/* Number of rows, number of columns, and the name of a column. */
int db_result_rows(const struct db_result *result);
int db_result_columns(const struct db_result *result);
const char *db_result_name(const struct db_result *result, int column);

/* Does a column hold times with their zone?  Does it hold texts, of any length? */
bool db_result_is_time(const struct db_result *result, int column);
bool db_result_is_text(const struct db_result *result, int column);

/* The text of a field; NULL: the field is null. */
const char *db_result_text(const struct db_result *result, int row, int column);

/* The same for display: "" if the field is null. */
const char *db_result_shown(const struct db_result *result, int row, int column);

/* A whole number; `otherwise` if the field is null or holds no whole number. */
int64_t db_result_i64(const struct db_result *result, int row, int column, int64_t otherwise);

/* A number with a fraction; 0 if there is no such row, or if the field is null. */
double db_result_number(const struct db_result *result, int row, int column);

/* Reads the next number of an array literal without nulls, and moves *text behind it.  False: there is no more, or *text is
 * NULL. */
bool db_array_next(const char **text, int64_t *ret_number);

/* Does an answer have this form?  See db/statements.h. */
bool db_result_has_form(const struct db_result *result, const char *form);

/* Is the field true?  False also if it is null. */
bool db_result_is_true(const struct db_result *result, int row, int column);

#endif

/*
 * The rows of an answer, read by position.  Valid only where they are given out.
 */
#ifndef DB_DB_RESULT_H
#define DB_DB_RESULT_H

#include <stdbool.h>
#include <stdint.h>

struct db_result;

int db_result_rows(const struct db_result *result);
int db_result_columns(const struct db_result *result);
const char *db_result_name(const struct db_result *result, int column);

/* The text of a field, or NULL where it is null. */
const char *db_result_text(const struct db_result *result, int row, int column);

/* The same for who only shows it: "" where it is null. */
const char *db_result_shown(const struct db_result *result, int row, int column);

/* A number; `otherwise` where the field is null. */
int64_t db_result_i64(const struct db_result *result, int row, int column, int64_t otherwise);

/* A number with a fraction; 0 where there is no such row, or the field is null. */
double db_result_number(const struct db_result *result, int row, int column);

/* The next number of an array literal that has no nulls; false at its end, or where the text is NULL. */
bool db_array_next(const char **text, int64_t *ret_number);

/* Has an answer this form?  See db/statements.h. */
bool db_result_has_form(const struct db_result *result, const char *form);

/* Is the field true? */
bool db_result_is_true(const struct db_result *result, int row, int column);

#endif

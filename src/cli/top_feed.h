/*
 * The source of `reeve top`: one connection that asks for the figures and carries out what a person has ordered.  The calls
 * block, so top runs each in a thread of the loop (loop_work), one at a time.
 */
#ifndef CLI_TOP_FEED_H
#define CLI_TOP_FEED_H

#include "db/db_once.h"
#include "top/view.h"

/* What a key orders. */
enum top_act { ACT_PAUSE, ACT_RESUME, ACT_RETRY, ACT_CANCEL, ACTS };

/* Prepares a new connection: its name, and a limit on each statement. */
NODISCARD bool top_begin(struct db_once *db, struct err *err);

/* Asks for all figures.  The caller frees *ret_figures with top_figures_release. */
NODISCARD bool top_ask(struct db_once *db, struct top_figures *ret_figures, struct err *err);

/* Asks for one task, as label and line; no rows: there is none.  The caller frees *ret_lines with top_table_release. */
NODISCARD bool top_look(struct db_once *db, const char *task_id, struct top_table *ret_lines, struct err *err);

/* Carries out an order about a queue or a task, and says in ret_answer, which has `size` bytes, what has happened. */
NODISCARD bool top_do(struct db_once *db, enum top_act act, const char *operand, char *ret_answer, size_t size, struct err *err);

#endif

/*
 * The warnings that the server sent during a unit.  They are kept until the unit is committed, because what a
 * transaction warned of has not happened if it was rolled back.
 */
#ifndef DB_DB_WARNINGS_H
#define DB_DB_WARNINGS_H

#include <libpq-fe.h>

#include "base/list.h"
#include "db/db_conn.h"

/* Adds a notice to the list, if it is a warning and the list has less than BOUND_WARNINGS of them.  `list` owns the copy. */
void db_warnings_add(struct list *list, const PGresult *notice);

/* Tells all of them, oldest first.  `tell` must not change the list. */
void db_warnings_tell(const struct list *list, void (*tell)(void *cookie, const struct db_warning *warning), void *cookie);

/* Empties the list. */
void db_warnings_clear(struct list *list);

#endif

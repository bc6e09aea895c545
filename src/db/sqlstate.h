/*
 * What the SQLSTATE of an error means for the work of a transaction.
 */
#ifndef DB_SQLSTATE_H
#define DB_SQLSTATE_H

#include <stdbool.h>

/* Were two transactions in each other's way, so that the same transaction may succeed later?  internal.is_passing has the same
 * list. */
bool sqlstate_is_passing(const char *code);

/* Is this an error of the server or of the set-up, and not of the work?  These are missing resources, intervention of an
 * operator and system errors.  Before the commit they include missing rights and missing functions, since errors of user code
 * are caught.  At commit only user code runs. */
bool sqlstate_is_servers_fault(const char *code, bool is_at_commit);

#endif

/*
 * Our defaults for connections.  libpq takes each setting from the connection string, from a service, from the environment
 * or from its own defaults, in this order.  If the user has set no variable, our default is put into the environment.  So
 * our defaults replace those of libpq, and never a setting of the user.
 *
 * The environment belongs to the whole process: call these before the first thread starts.
 */
#ifndef DB_DB_ENV_H
#define DB_DB_ENV_H

/* For a program that stays: sets our defaults, and puts the service of `conninfo` into the environment, where PQconndefaults
 * looks for it. */
void db_env_set(const char *conninfo);

/* For one connection: sets our defaults, with `session_attrs` as the kind of server.  Texts are copied.  Returns the defaults
 * that were set, one bit each, for db_env_restore. */
unsigned int db_env_fill(const char *session_attrs);

/* Removes the variables that db_env_fill has set. */
void db_env_restore(unsigned int filled);

#endif

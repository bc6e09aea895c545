/*
 * Our defaults for connections.  libpq takes each setting from the connection string, from a service, from
 * the environment or from what was compiled in, in this order.  Our defaults go into the environment where
 * the user has set nothing: so they replace what was compiled in, and never what a user has said.
 *
 * The environment belongs to the whole process: call these before the first thread starts.
 */
#ifndef DB_DB_ENV_H
#define DB_DB_ENV_H

/* For a program that stays: fill in our defaults, and name the service of `conninfo` in the environment, which
 * is where PQconndefaults looks for one. */
void db_env_set(const char *conninfo);

/* For one connection: fill in our defaults, with `session_attrs` as the kind of server that is wanted.  Returns which
 * of them were missing, for db_env_restore. */
unsigned int db_env_fill(const char *session_attrs);

/* Take back what db_env_fill has filled in. */
void db_env_restore(unsigned int filled);

#endif

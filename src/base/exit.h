/*
 * Exit codes: each means one thing.
 */
#ifndef BASE_EXIT_H
#define BASE_EXIT_H

/* Codes of all commands. */
enum {
    EXIT_OK = 0,
    EXIT_UNEXPECTED = 1, /* also: doctor found something wrong */
    EXIT_USAGE = 2,
    EXIT_CONFIG = 3,
    EXIT_SCHEMA = 4,        /* schema version and program do not match */
    EXIT_UNREACHABLE = 5,   /* database not reachable */
    EXIT_INSTANCE = 6,      /* another instance is at work */
    EXIT_NOT_ADOPTED = 7,   /* the database is a copy */
    EXIT_REFUSED = 8,       /* refused by the server; SQLSTATE on stderr */
    EXIT_NOTHING = 9,       /* show found nothing */
    EXIT_INTERRUPTED = 130, /* Ctrl-C or TERM, as shells count it; the command says how to go on */
};

#endif

/*
 * Sessions of viewers.  A session is an entry of a table in memory, so a restart revokes all; its cookie is the id of the entry,
 * signed with a key that is made at the start.  Times are passed in.
 */
#ifndef SERVE_SESSION_H
#define SERVE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/bounds.h"
#include "base/list.h"

enum {
    SESSION_ID = 33,      /* 16 bytes as hex digits */
    SESSION_SIGN = 65,    /* 32 bytes as hex digits */
    SESSION_COOKIE = 98,  /* id, a dot, signature */
    SESSION_PERSON = 256, /* name of a person */
    SESSION_ROLE = 64     /* name of a role */
};

/* A session. */
struct session {
    struct list node; /* the one that was used least recently is the first */
    char id[SESSION_ID];
    char token[SESSION_SIGN]; /* secret of its forms */
    char person[SESSION_PERSON];
    char role[SESSION_ROLE]; /* whose right is asked again; "": the right stays */
    bool must_log_in;        /* the role must be one that may log in */
    int right;
    int64_t began_ms;
    int64_t used_ms;
    int64_t asked_ms; /* the right was asked */
    char notice[BOUND_NOTICE_BYTES];
    bool is_notice_bad;
};

struct sessions;

/* Makes an empty table with a new key; a session lives for at most life_ms. */
struct sessions *sessions_new(int64_t life_ms) NODISCARD;

/* Makes a session.  It belongs to the table and lives until the next call that adds or drops one. */
struct session *session_add(struct sessions *sessions, const char *person, const char *role, int right, int64_t now_ms);

/* Writes the value of the session's cookie. */
void session_cookie(const struct sessions *sessions, const struct session *session, char ret_cookie[SESSION_COOKIE]);

/* The session of a cookie, which counts as used now.  NULL: the cookie was not signed by us, or the session has ended. */
struct session *session_find(struct sessions *sessions, const char *cookie, int64_t now_ms);

/* The session with this id, without a signature: for one that was found before.  NULL: it has ended. */
struct session *session_of_id(struct sessions *sessions, const char *id);

/* The session of a person, which counts as used now.  NULL: there is none. */
struct session *session_of_person(struct sessions *sessions, const char *person, int64_t now_ms);

/* Ends a session. */
void session_drop(struct sessions *sessions, struct session *session);

int sessions_count(const struct sessions *sessions);

/* Frees the table and wipes its key.  NULL is fine. */
void sessions_free(struct sessions *sessions);

/* Are two texts equal?  The time that it takes depends on the length of the first one only. */
bool secret_is(const char *given, const char *secret);

/* Writes `bytes` random bytes as hex digits, with a NUL. */
void secret_make(char *ret_text, size_t bytes);

#endif

#include "serve/session.h"

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outside.h"

struct sessions {
    struct list list;
    int count;
    int64_t life_ms;
    unsigned char key[32];
};

static void
to_hex(const unsigned char *bytes, size_t length, char *text)
{
    for (size_t i = 0; i < length; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

bool
secret_is(const char *given, const char *secret)
{
    size_t length = strlen(secret);
    size_t given_length = strlen(given);
    unsigned char differences = length != given_length;

    for (size_t i = 0; i < given_length; i++)
        differences |= (unsigned char)(given[i] ^ secret[length == 0 ? 0 : i % length]);
    return differences == 0;
}

void
secret_make(char *ret_text, size_t bytes)
{
    unsigned char random[64];

    outside_random(random, bytes);
    to_hex(random, bytes, ret_text);
    OPENSSL_cleanse(random, sizeof(random));
}

/* Signs an id for one purpose. */
static void
sign(const struct sessions *sessions, const char *purpose, const char *id, char ret_text[SESSION_SIGN])
{
    char text[SESSION_ID + 16];
    unsigned char digest[32];
    unsigned int size = sizeof(digest);
    int length = snprintf(text, sizeof(text), "%s:%s", purpose, id);

    (void)HMAC(EVP_sha256(), sessions->key, sizeof(sessions->key), (const unsigned char *)text, (size_t)length, digest, &size);
    to_hex(digest, sizeof(digest), ret_text);
}

struct sessions *
sessions_new(int64_t life_ms)
{
    struct sessions *sessions = must_alloc(sizeof(*sessions));

    list_init(&sessions->list);
    sessions->life_ms = life_ms;
    outside_random(sessions->key, sizeof(sessions->key));
    return sessions;
}

struct session *
session_add(struct sessions *sessions, const char *person, const char *role, int right, int64_t now_ms)
{
    struct session *session = must_alloc(sizeof(*session));

    if (sessions->count == BOUND_SESSIONS)
        session_drop(sessions, LIST_OWNER(sessions->list.next, struct session, node));
    list_init(&session->node);
    secret_make(session->id, (SESSION_ID - 1) / 2);
    sign(sessions, "form", session->id, session->token);
    (void)snprintf(session->person, sizeof(session->person), "%s", person);
    (void)snprintf(session->role, sizeof(session->role), "%s", role);
    session->right = right;
    session->began_ms = now_ms;
    session->used_ms = now_ms;
    session->asked_ms = now_ms;
    list_append(&sessions->list, &session->node);
    sessions->count++;
    return session;
}

void
session_cookie(const struct sessions *sessions, const struct session *session, char ret_cookie[SESSION_COOKIE])
{
    char signature[SESSION_SIGN];

    sign(sessions, "cookie", session->id, signature);
    (void)snprintf(ret_cookie, SESSION_COOKIE, "%s.%s", session->id, signature);
}

struct session *
session_of_id(struct sessions *sessions, const char *id)
{
    for (struct list *node = sessions->list.prev; node != &sessions->list; node = node->prev) {
        struct session *session = LIST_OWNER(node, struct session, node);

        if (strcmp(session->id, id) == 0)
            return session;
    }
    return NULL;
}

/* Ends the session if it is too old; otherwise it counts as used. */
static struct session *
use_session(struct sessions *sessions, struct session *session, int64_t now_ms)
{
    if (now_ms - session->began_ms >= sessions->life_ms || now_ms - session->used_ms >= BOUND_SESSION_IDLE_MS) {
        session_drop(sessions, session);
        return NULL;
    }
    session->used_ms = now_ms;
    list_append(&sessions->list, &session->node);
    return session;
}

struct session *
session_of_person(struct sessions *sessions, const char *person, int64_t now_ms)
{
    for (struct list *node = sessions->list.prev; node != &sessions->list; node = node->prev) {
        struct session *session = LIST_OWNER(node, struct session, node);

        if (strcmp(session->person, person) == 0)
            return use_session(sessions, session, now_ms);
    }
    return NULL;
}

struct session *
session_find(struct sessions *sessions, const char *cookie, int64_t now_ms)
{
    char id[SESSION_ID];
    char signature[SESSION_SIGN];
    struct session *session;

    if (strlen(cookie) != SESSION_COOKIE - 1 || cookie[SESSION_ID - 1] != '.')
        return NULL;
    memcpy(id, cookie, SESSION_ID - 1);
    id[SESSION_ID - 1] = '\0';
    sign(sessions, "cookie", id, signature);
    if (!secret_is(cookie + SESSION_ID, signature))
        return NULL;
    session = session_of_id(sessions, id);
    return session == NULL ? NULL : use_session(sessions, session, now_ms);
}

void
session_drop(struct sessions *sessions, struct session *session)
{
    list_remove(&session->node);
    sessions->count--;
    OPENSSL_cleanse(session, sizeof(*session));
    free(session);
}

int
sessions_count(const struct sessions *sessions)
{
    return sessions->count;
}

void
sessions_free(struct sessions *sessions)
{
    if (sessions == NULL)
        return;
    while (!list_is_empty(&sessions->list))
        session_drop(sessions, LIST_OWNER(sessions->list.next, struct session, node));
    OPENSSL_cleanse(sessions->key, sizeof(sessions->key));
    free(sessions);
}

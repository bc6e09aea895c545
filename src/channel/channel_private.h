/*
 * What the files of providers see of a call.
 */
#ifndef CHANNEL_CHANNEL_PRIVATE_H
#define CHANNEL_CHANNEL_PRIVATE_H

#include <jansson.h>

#include "channel/channel.h"
#include "channel/mask.h"
#include "channel/vault.h"

enum { CHANNEL_EMAIL, CHANNEL_SMS, CHANNEL_FILE_DELETE, CHANNEL_HTTP, CHANNELS };

struct channel_row {
    int channel;
    const char *name; /* of the provider */
    /* Ask for a request (by filling call->request and channel_send), or end the call. */
    void (*begin)(struct channel_call *call);
    void (*take)(struct channel_call *call, const struct http_answer *answer);
    bool reads_first_answer; /* for the next request; nothing of it is kept, so it is not masked */
};

struct channel_set {
    int users; /* calls, and one for the owner */
    const struct channel_row *rows[CHANNELS];
    double rates[CHANNELS];
    char *resend_key, *resend_url;
    char *smtp_url;
    char *twilio_sid, *twilio_token, *twilio_from, *twilio_url;
    char *file_service_url, *file_service_key, *file_delete_hosts;
    bool has_vault_key;
    struct vault_key vault_key;
};

struct channel_call {
    struct channel_set *set;
    const struct channel_row *row;
    json_t *payload;  /* an object */
    json_t *secrets;  /* an object, or NULL: what the engine itself says of this call */
    struct mask mask; /* secrets that it used */
    char *body;
    char *key;
    int request_no;               /* of the request that was sent last, from 1 */
    struct http_request *request; /* to be filled, during begin and take */
    bool is_done;
    struct channel_outcome outcome;
};

/* The request is complete: send it. */
void channel_send(struct channel_call *call);

/* Ends.  `result` is stolen and may be NULL; the error's text is cleaned and cut. */
void channel_succeed(struct channel_call *call, json_t *result);
void channel_fail(struct channel_call *call, const char *error_class, const char *format, ...) FORMAT(3, 4);

/* The end for a transfer without an answer: not sent, or in doubt.  False: it was answered. */
bool channel_ended_unanswered(struct channel_call *call, const struct http_answer *answer);

/* refused, rate_limited or server. */
const char *channel_class_of(int http_status);

/* A text of the payload; NULL if it is absent.  Numbers are given as text. */
const char *channel_text(struct channel_call *call, const char *field);

/* False: the field holds a line break; the call has failed. */
NODISCARD bool channel_is_one_line(struct channel_call *call, const char *adapter, const char *field);

/* The body of an answer as a JSON object, or NULL.  To be freed with json_decref. */
json_t *channel_answer_object(const struct http_answer *answer);

/* Text of an answer's object, cleaned: NULL if absent.  Valid as long as the object. */
const char *channel_string_in(const json_t *object, const char *key);

/* Header that must not fail: its text is ours.  A secret with a line break fails the call. */
NODISCARD bool channel_header(struct channel_call *call, const char *name, const char *value);

/* The value of a named secret: from the database, else our own, if the database permits that.  To be
 * freed with secret_free; NULL: the call has failed, because there is none, or it cannot be opened. */
NODISCARD char *channel_secret(struct channel_call *call, const char *name);

/* This call uses a secret: nothing that its peer says may repeat it. */
void channel_uses(struct channel_call *call, const char *secret);

/* The providers. */
void resend_begin(struct channel_call *call);
void resend_take(struct channel_call *call, const struct http_answer *answer);
void smtp_begin(struct channel_call *call);
void smtp_take(struct channel_call *call, const struct http_answer *answer);
void email_log_begin(struct channel_call *call);
void twilio_begin(struct channel_call *call);
void twilio_take(struct channel_call *call, const struct http_answer *answer);
void sms_log_begin(struct channel_call *call);
void file_delete_begin(struct channel_call *call);
void file_delete_take(struct channel_call *call, const struct http_answer *answer);
void http_call_begin(struct channel_call *call);
void http_call_take(struct channel_call *call, const struct http_answer *answer);

#endif

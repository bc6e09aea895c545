/*
 * Calls and sets, as the files of the providers see them.
 */
#ifndef CHANNEL_CHANNEL_PRIVATE_H
#define CHANNEL_CHANNEL_PRIVATE_H

#include <jansson.h>

#include "channel/channel.h"
#include "channel/mask.h"
#include "channel/vault.h"

enum { CHANNEL_EMAIL, CHANNEL_SMS, CHANNEL_FILE_DELETE, CHANNEL_HTTP, CHANNEL_PROGRAM, CHANNELS };

struct channel_row {
    int channel;
    const char *name; /* name of the provider */
    /* Each fills call->request and calls channel_send, or ends the call. */
    void (*begin)(struct channel_call *call);
    void (*take)(struct channel_call *call, const struct http_answer *answer);
    bool reads_first_answer; /* the provider reads the first answer for the next request; it is not kept, so it is not masked */
};

struct channel_set {
    int users; /* calls, and 1 for the owner */
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
    json_t *secrets;  /* an object with the engine's values for this call; NULL: none */
    struct mask mask; /* secrets that the call has used */
    char *body;
    char *key;
    char *traceparent;            /* NULL: none */
    int request_no;               /* number of the last request, from 1 */
    struct http_request *request; /* request to fill; set during begin and take */
    bool is_done;
    struct channel_outcome outcome;
};

/* The request is complete: send it. */
void channel_send(struct channel_call *call);

/* End the call.  channel_succeed takes ownership of `result`, which may be NULL.  The text of an error is cleaned and cut. */
void channel_succeed(struct channel_call *call, json_t *result);
void channel_fail(struct channel_call *call, const char *error_class, const char *format, ...) FORMAT(3, 4);

/* Ends the call if the transfer has no answer: not sent, or in doubt.  False: there is an answer, and nothing was done. */
bool channel_ended_unanswered(struct channel_call *call, const struct http_answer *answer);

/* Error class of a status: refused, rate_limited or server.  Static text. */
const char *channel_class_of(int http_status);

/* A text of the payload, which owns it; a number is returned as text.  NULL: absent. */
const char *channel_text(struct channel_call *call, const char *field);

/* Is the field one line?  False: it has a line break, and the call has failed. */
NODISCARD bool channel_is_one_line(struct channel_call *call, const char *adapter, const char *field);

/* The body of an answer as a JSON object; the caller frees it with json_decref.  NULL: it is not an object. */
json_t *channel_answer_object(const struct http_answer *answer);

/* A cleaned text of an answer's object, valid as long as the object.  NULL: absent. */
const char *channel_string_in(const json_t *object, const char *key);

/* Adds a header with a name of ours.  False: the value, which may be a secret, has a line break, and the call has failed. */
NODISCARD bool channel_header(struct channel_call *call, const char *name, const char *value);

/* The value of a named secret: from the database, or from the worker's environment if the database permits it.  The caller
 * frees it with secret_free.  NULL: there is none, or it cannot be opened; the call has failed. */
NODISCARD char *channel_secret(struct channel_call *call, const char *name);

/* This call uses a secret, which is masked in the answers. */
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

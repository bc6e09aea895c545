/*
 * Channels turn a task of type email, sms, file_delete or http into requests, and answers into an outcome.  This folder uses
 * no socket and no database.  A call begins with the payload that the before handler returned, asks its owner to send a
 * request, takes the answer, may ask for another request, and ends with an outcome for queues.finish.
 *
 * A provider is one row in channel.c and one file with two functions.
 */
#ifndef CHANNEL_CHANNEL_H
#define CHANNEL_CHANNEL_H

#include <stdbool.h>

#include "base/err.h"
#include "http/http_request.h"

/* From the configuration.  Texts are copied; NULL: not set. */
struct channel_options {
    const char *email_provider;
    const char *resend_key;
    const char *resend_url;
    const char *smtp_url;
    const char *sms_provider;
    const char *twilio_sid;
    const char *twilio_token;
    const char *twilio_from;
    const char *twilio_url;
    const char *file_service_url;
    const char *file_service_key;
    const char *file_delete_hosts;
    const char *vault_key; /* 64 hexadecimal digits */
    double email_rate;     /* e-mails per second; 0: no limit; negative: the provider's default */
    double sms_rate;       /* SMS per second; 0: no limit; negative: the provider's default */
    bool carries_programs; /* calls of programs are carried out here, and no others */
};

/* The channels of one configuration.  It lives until its owner and all its calls have freed it. */
struct channel_set;

/* Makes a set; channel_set_free frees it.  False: settings of a provider are missing or cannot be read, as `err` says. */
NODISCARD bool channel_set_new(const struct channel_options *options, struct channel_set **ret_set, struct err *err);

/* The number of channels, configured or not; and the name of the n-th, from 0.  Static text. */
int channel_count(void);
const char *channel_adapter(int n);

/* The provider of a channel.  NULL: none is configured, and channel_missing names the settings that would.  Static texts. */
const char *channel_provider(const struct channel_set *set, int n);
const char *channel_missing(int n);

/* Calls per second that the channel may make; 0: no limit. */
double channel_rate(const struct channel_set *set, int n);

/* Do all calls of the channel go to its provider?  Otherwise each names its host. */
bool channel_has_own_destination(int n);

/* Are the calls of the channel carried out by a carrier, and not by requests? */
bool channel_is_carried(int n);

/* Index of the channel whose calls a carrier carries out. */
int channel_carried(void);

/* Index of an adapter, or -1. */
int channel_find(const char *adapter);

/* Seals a secret with the key of the configuration; the caller frees the text.  NULL: there is no key. */
char *channel_seal(const struct channel_set *set, const char *name, const char *value) NODISCARD;

/* The owner gives up the set, which is freed after its last call.  NULL is fine. */
void channel_set_free(struct channel_set *set);

/* --- one call ------------------------------------------------------------------------ */

struct channel_call;

/* The next step of a call. */
enum channel_step {
    CHANNEL_SEND, /* send the request, then call channel_call_take with the answer */
    CHANNEL_DONE, /* the outcome is known */
};

/* The outcome of a call. */
struct channel_outcome {
    const char *outcome;     /* succeeded, failed, answered, in_doubt; static text */
    char *result;            /* JSON; owned by the call until channel_call_outcome; NULL: none */
    char *error;             /* text; owned like `result`; NULL: none */
    const char *error_class; /* static text; NULL: none */
};

/* Makes a call; channel_call_free frees it.  Texts are copied.  `payload` is JSON.  `body` is the exact text to send, for
 * http only, or NULL.  `secrets` is JSON with the values that the database has for this call, or NULL.  `key` is the
 * idempotency key; NULL: "".  `traceparent` is a header for http, unless the payload has its own; NULL: none.  The channel must
 * have a provider.  If the payload cannot be read, the first step ends
 * the call. */
struct channel_call *channel_call_new(struct channel_set *set, int channel, const char *payload, const char *body,
    const char *secrets, const char *key, const char *traceparent) NODISCARD;

/* The first step, and the step after an answer.  CHANNEL_SEND: the caller owns *ret_request and sends it.  CHANNEL_DONE:
 * *ret_request is empty.  This call masks the secrets of the call in an answer that is kept. */
enum channel_step channel_call_begin(struct channel_call *call, struct http_request *ret_request);
enum channel_step channel_call_take(
    struct channel_call *call, const struct http_answer *answer, struct http_request *ret_request);

/* The outcome, after CHANNEL_DONE, to be asked for once.  The caller frees `result` and `error`. */
void channel_call_outcome(struct channel_call *call, struct channel_outcome *ret_outcome);

/* Frees the call, and the outcome if nobody has asked for it.  NULL is fine. */
void channel_call_free(struct channel_call *call);

#endif

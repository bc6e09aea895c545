/*
 * Channels: what a task of type email, sms, file_delete or http means in requests and
 * answers.  No socket and no database here: a call is begun with the payload that the
 * before handler returned, asks its owner to send a request, takes the answer, perhaps asks
 * for another one, and ends with an outcome for queues.finish.
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
    double email_rate;     /* calls per second; 0: no limit; below 0: the provider's own */
    double sms_rate;
};

/* The channels of one configuration.  Calls keep it alive. */
struct channel_set;

/* False: a provider is named but its settings are missing or cannot be read. */
NODISCARD bool channel_set_new(const struct channel_options *options, struct channel_set **ret_set, struct err *err);

/* How many channels there are, configured or not; and the n-th. */
int channel_count(void);
const char *channel_adapter(int n);

/* The provider that serves a channel, or NULL; then channel_missing says what would. */
const char *channel_provider(const struct channel_set *set, int n);
const char *channel_missing(int n);

/* Calls per second that the channel may make; 0: no limit. */
double channel_rate(const struct channel_set *set, int n);

/* Do all calls of the channel go to its provider?  Otherwise each names its host. */
bool channel_has_own_destination(int n);

/* Index of an adapter, or -1. */
int channel_find(const char *adapter);

/* A secret sealed with the key of the configuration, to be freed; NULL: it has none. */
char *channel_seal(const struct channel_set *set, const char *name, const char *value) NODISCARD;

/* The owner lets go; freed after the last call.  NULL is fine. */
void channel_set_free(struct channel_set *set);

/* --- one call ------------------------------------------------------------------------ */

struct channel_call;

enum channel_step {
    CHANNEL_SEND, /* send the request, then call channel_call_take with the answer */
    CHANNEL_DONE, /* the outcome is known */
};

struct channel_outcome {
    const char *outcome;     /* succeeded, failed, answered, in_doubt */
    char *result;            /* JSON, or NULL; owned by the call until taken */
    char *error;             /* or NULL; likewise */
    const char *error_class; /* or NULL */
};

/* `payload` is JSON; `body` the exact text to send, for http, or NULL; `secrets` JSON, with
 * values that the database has for this call, or NULL. */
struct channel_call *channel_call_new(
    struct channel_set *set, int channel, const char *payload, const char *body, const char *secrets, const char *key) NODISCARD;

enum channel_step channel_call_begin(struct channel_call *call, struct http_request *ret_request);
enum channel_step channel_call_take(
    struct channel_call *call, const struct http_answer *answer, struct http_request *ret_request);

/* After CHANNEL_DONE.  The texts are the caller's now. */
void channel_call_outcome(struct channel_call *call, struct channel_outcome *ret_outcome);

/* NULL is fine. */
void channel_call_free(struct channel_call *call);

#endif

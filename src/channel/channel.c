#include "channel/channel.h"

#include <assert.h>
#include <stdarg.h>

#include "base/log.h"
#include "base/utf8.h"
#include "channel/channel_private.h"
#include "channel/secret.h"

static const struct channel_row rows[] = {
    {CHANNEL_EMAIL, "resend", resend_begin, resend_take, false},
    {CHANNEL_EMAIL, "smtp", smtp_begin, smtp_take, false},
    {CHANNEL_EMAIL, "log", email_log_begin, NULL, false},
    {CHANNEL_SMS, "twilio", twilio_begin, twilio_take, false},
    {CHANNEL_SMS, "log", sms_log_begin, NULL, false},
    {CHANNEL_FILE_DELETE, "files", file_delete_begin, file_delete_take, true},
    {CHANNEL_HTTP, "http", http_call_begin, http_call_take, false},
    {CHANNEL_PROGRAM, "program", NULL, NULL, false},
};

static const struct {
    const char *adapter;
    const char *missing;      /* settings that would configure the channel */
    bool has_own_destination; /* all calls go to the provider */
    bool is_carried;          /* a carrier carries out its calls */
} channels[CHANNELS] = {
    [CHANNEL_EMAIL] = {"email", "set RESEND_API_KEY, SMTP_URL or REEVE_EMAIL_PROVIDER=log", true, false},
    [CHANNEL_SMS] = {"sms", "set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM_NUMBER, or REEVE_SMS_PROVIDER=log", true,
        false},
    [CHANNEL_FILE_DELETE] = {"file_delete", "set FILE_SERVICE_URL and FILE_SERVICE_API_KEY", true, false},
    [CHANNEL_HTTP] = {"http", "", false, false},
    [CHANNEL_PROGRAM] = {"program", "", true, true},
};

int
channel_count(void)
{
    return CHANNELS;
}

const char *
channel_adapter(int n)
{
    return channels[n].adapter;
}

const char *
channel_missing(int n)
{
    return channels[n].missing;
}

bool
channel_has_own_destination(int n)
{
    return channels[n].has_own_destination;
}

bool
channel_is_carried(int n)
{
    return channels[n].is_carried;
}

int
channel_carried(void)
{
    return CHANNEL_PROGRAM;
}

int
channel_find(const char *adapter)
{
    for (int n = 0; n < CHANNELS; n++) {
        if (strcmp(channels[n].adapter, adapter) == 0)
            return n;
    }
    return -1;
}

const char *
channel_provider(const struct channel_set *set, int n)
{
    return set->rows[n] == NULL ? NULL : set->rows[n]->name;
}

double
channel_rate(const struct channel_set *set, int n)
{
    return set->rates[n];
}

/* --- a set --------------------------------------------------------------------------- */

static char *
copy(const char *text)
{
    return text == NULL || text[0] == '\0' ? NULL : must_strdup(text);
}

/* A copy of a base URL without the slash at its end. */
static char *
copy_base(const char *text, const char *standard)
{
    char *base = must_strdup(text == NULL || text[0] == '\0' ? standard : text);
    size_t length = strlen(base);

    while (length > 0 && base[length - 1] == '/')
        base[--length] = '\0';
    return base;
}

static void
choose(struct channel_set *set, int channel, const char *name)
{
    for (size_t i = 0; i < LENGTH(rows); i++) {
        if (rows[i].channel == channel && strcmp(rows[i].name, name) == 0)
            set->rows[channel] = &rows[i];
    }
}

static bool
choose_email(struct channel_set *set, const char *provider, struct err *err)
{
    if (provider == NULL || provider[0] == '\0')
        provider = set->resend_key != NULL ? "resend" : set->smtp_url != NULL ? "smtp" : "none";
    if (strcmp(provider, "resend") == 0 && set->resend_key == NULL)
        return err_set(err, ERR_REFUSED, "", "e-mail provider \"resend\" needs RESEND_API_KEY");
    if (strcmp(provider, "smtp") == 0 && set->smtp_url == NULL)
        return err_set(err, ERR_REFUSED, "", "e-mail provider \"smtp\" needs SMTP_URL");
    choose(set, CHANNEL_EMAIL, provider);
    return true;
}

static bool
choose_sms(struct channel_set *set, const char *provider, struct err *err)
{
    bool has_all = set->twilio_sid != NULL && set->twilio_token != NULL && set->twilio_from != NULL;

    if (provider == NULL || provider[0] == '\0')
        provider = has_all ? "twilio" : "none";
    if (strcmp(provider, "twilio") == 0 && !has_all)
        return err_set(
            err, ERR_REFUSED, "", "SMS provider \"twilio\" needs TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM_NUMBER");
    choose(set, CHANNEL_SMS, provider);
    return true;
}

static bool
check_smtp_url(const struct channel_set *set, struct err *err)
{
    if (set->smtp_url == NULL || strncmp(set->smtp_url, "smtp://", 7) == 0 || strncmp(set->smtp_url, "smtps://", 8) == 0)
        return true;
    return err_set(err, ERR_REFUSED, "", "SMTP_URL does not begin with smtp:// or smtps://");
}

bool
channel_set_new(const struct channel_options *options, struct channel_set **ret_set, struct err *err)
{
    struct channel_set *set = must_alloc(sizeof(*set));

    set->users = 1;
    if (options->carries_programs) {
        choose(set, CHANNEL_PROGRAM, "program");
        *ret_set = set;
        return true;
    }
    set->resend_key = copy(options->resend_key);
    set->resend_url = copy_base(options->resend_url, "https://api.resend.com");
    set->smtp_url = copy(options->smtp_url);
    set->twilio_sid = copy(options->twilio_sid);
    set->twilio_token = copy(options->twilio_token);
    set->twilio_from = copy(options->twilio_from);
    set->twilio_url = copy_base(options->twilio_url, "https://api.twilio.com");
    set->file_service_url = copy_base(options->file_service_url, "");
    set->file_service_key = copy(options->file_service_key);
    set->file_delete_hosts = copy(options->file_delete_hosts);
    if (!check_smtp_url(set, err) || !choose_email(set, options->email_provider, err)
        || !choose_sms(set, options->sms_provider, err)) {
        channel_set_free(set);
        return false;
    }
    if (options->vault_key != NULL && options->vault_key[0] != '\0') {
        if (!vault_key_read(options->vault_key, &set->vault_key, err)) {
            channel_set_free(set);
            return false;
        }
        set->has_vault_key = true;
    }
    if (set->file_service_url[0] != '\0' && set->file_service_key != NULL)
        choose(set, CHANNEL_FILE_DELETE, "files");
    choose(set, CHANNEL_HTTP, "http");
    set->rates[CHANNEL_EMAIL] = options->email_rate;
    if (options->email_rate < 0) {
        bool is_theirs = set->rows[CHANNEL_EMAIL] != NULL && strcmp(set->rows[CHANNEL_EMAIL]->name, "resend") == 0
                         && strcmp(set->resend_url, "https://api.resend.com") == 0;

        set->rates[CHANNEL_EMAIL] = is_theirs ? 2 : 0;
    }
    set->rates[CHANNEL_SMS] = options->sms_rate < 0 ? 0 : options->sms_rate;
    *ret_set = set;
    return true;
}

static void
wipe(char *text)
{
    if (text != NULL)
        explicit_bzero(text, strlen(text));
    free(text);
}

void
channel_set_free(struct channel_set *set)
{
    if (set == NULL || --set->users > 0)
        return;
    wipe(set->resend_key);
    wipe(set->smtp_url);
    wipe(set->twilio_token);
    wipe(set->file_service_key);
    explicit_bzero(&set->vault_key, sizeof(set->vault_key));
    free(set->resend_url);
    free(set->twilio_sid);
    free(set->twilio_from);
    free(set->twilio_url);
    free(set->file_service_url);
    free(set->file_delete_hosts);
    free(set);
}

/* --- a call -------------------------------------------------------------------------- */

struct channel_call *
channel_call_new(struct channel_set *set, int channel, const char *payload, const char *body, const char *secrets,
    const char *key, const char *traceparent)
{
    struct channel_call *call = must_alloc(sizeof(*call));

    assert(set->rows[channel] != NULL);
    set->users++;
    call->set = set;
    call->row = set->rows[channel];
    call->payload = json_loads(payload == NULL ? "{}" : payload, 0, NULL);
    call->secrets = secrets == NULL ? NULL : json_loads(secrets, 0, NULL);
    call->body = body == NULL ? NULL : must_strdup(body);
    call->key = must_strdup(key == NULL ? "" : key);
    call->traceparent = traceparent == NULL ? NULL : must_strdup(traceparent);
    return call;
}

static enum channel_step
step_of(struct channel_call *call)
{
    call->request = NULL;
    return call->is_done ? CHANNEL_DONE : CHANNEL_SEND;
}

enum channel_step
channel_call_begin(struct channel_call *call, struct http_request *ret_request)
{
    http_request_init(ret_request);
    call->request = ret_request;
    if (!json_is_object(call->payload))
        channel_fail(call, "payload", "%s payload cannot be read", channels[call->row->channel].adapter);
    else
        call->row->begin(call);
    if (call->is_done)
        http_request_release(ret_request);
    return step_of(call);
}

enum channel_step
channel_call_take(struct channel_call *call, const struct http_answer *answer, struct http_request *ret_request)
{
    http_request_init(ret_request);
    call->request = ret_request;
    /* A peer may repeat a secret that it was sent. */
    if (call->request_no > 1 || !call->row->reads_first_answer) {
        if (answer->headers != NULL)
            mask_apply(&call->mask, answer->headers, true);
        if (answer->body != NULL)
            mask_apply(&call->mask, answer->body, answer->is_truncated);
    }
    call->row->take(call, answer);
    if (call->is_done)
        http_request_release(ret_request);
    return step_of(call);
}

void
channel_call_outcome(struct channel_call *call, struct channel_outcome *ret_outcome)
{
    assert(call->is_done);
    /* Answers are masked before they become results: a *** in the text of JSON could break it. */
    if (call->outcome.error != NULL)
        log_mask(call->outcome.error);
    *ret_outcome = call->outcome;
    call->outcome.result = NULL;
    call->outcome.error = NULL;
}

void
channel_call_free(struct channel_call *call)
{
    if (call == NULL)
        return;
    json_decref(call->payload);
    json_decref(call->secrets);
    mask_release(&call->mask);
    free(call->body);
    free(call->key);
    free(call->traceparent);
    free(call->outcome.result);
    free(call->outcome.error);
    channel_set_free(call->set);
    free(call);
}

/* --- for providers ------------------------------------------------------------------- */

void
channel_send(struct channel_call *call)
{
    assert(call->request->url != NULL);
    call->request_no++;
}

void
channel_succeed(struct channel_call *call, json_t *result)
{
    call->is_done = true;
    call->outcome.outcome = "succeeded";
    if (result != NULL)
        call->outcome.result = json_dumps(result, JSON_COMPACT);
    json_decref(result);
}

void
channel_fail(struct channel_call *call, const char *error_class, const char *format, ...)
{
    struct buf raw;
    struct buf clean;
    va_list args;
    char text[2048];

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    buf_init(&raw, sizeof(text));
    buf_init(&clean, sizeof(text));
    buf_puts(&raw, text);
    mask_apply(&call->mask, &raw, raw.length == sizeof(text) - 1);
    (void)utf8_clean_line(&clean, raw.text, raw.length, BOUND_FOREIGN_BYTES * 2);
    call->is_done = true;
    call->outcome.outcome = strcmp(error_class, "in_doubt") == 0 ? "in_doubt" : "failed";
    call->outcome.error = must_strdup(clean.text);
    call->outcome.error_class = error_class;
    buf_release(&raw);
    buf_release(&clean);
}

bool
channel_ended_unanswered(struct channel_call *call, const struct http_answer *answer)
{
    switch (answer->end) {
    case HTTP_ANSWERED:
        return false;
    case HTTP_REFUSED:
        channel_fail(call, "policy", "%s", answer->problem);
        return true;
    case HTTP_UNSENT:
        channel_fail(call, "network", "%s", answer->problem);
        return true;
    case HTTP_IN_DOUBT:
        channel_fail(call, "in_doubt", "in doubt: %s", answer->problem);
        return true;
    }
    return false;
}

const char *
channel_class_of(int http_status)
{
    if (http_status == 429)
        return "rate_limited";
    if (http_status >= 500 || http_status == 408 || http_status == 425)
        return "server";
    return "refused";
}

const char *
channel_text(struct channel_call *call, const char *field)
{
    json_t *value = json_object_get(call->payload, field);

    if (json_is_number(value)) {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        json_t *string = json_string(text);

        free(text);
        (void)json_object_set_new(call->payload, field, string);
        value = string;
    }
    return json_string_value(value);
}

bool
channel_is_one_line(struct channel_call *call, const char *adapter, const char *field)
{
    const char *text = channel_text(call, field);

    if (text == NULL && json_object_get(call->payload, field) != NULL && !json_is_null(json_object_get(call->payload, field))) {
        channel_fail(call, "payload", "%s payload: \"%s\" is not a text", adapter, field);
        return false;
    }
    if (text == NULL || !utf8_has_control(text))
        return true;
    channel_fail(call, "payload", "%s payload: %s in \"%s\"", adapter,
        strpbrk(text, "\r\n") == NULL ? "control character" : "line break", field);
    return false;
}

json_t *
channel_answer_object(const struct http_answer *answer)
{
    json_t *object;

    if (answer->is_truncated || answer->body == NULL)
        return NULL;
    object = json_loadb(answer->body->text, answer->body->length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(object)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

const char *
channel_string_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL && text[0] != '\0' ? text : NULL;
}

bool
channel_header(struct channel_call *call, const char *name, const char *value)
{
    struct err err;

    if (http_request_header(call->request, name, value, &err))
        return true;
    channel_fail(call, "payload", "%s", err.message);
    return false;
}

void
channel_uses(struct channel_call *call, const char *secret)
{
    mask_add(&call->mask, secret, strlen(secret));
}

static char *
open_sealed(struct channel_call *call, const char *name, const char *sealed)
{
    char *value;

    if (!call->set->has_vault_key) {
        channel_fail(call, "payload", "secret \"%.128s\" is sealed, and the worker has no REEVE_VAULT_KEY", name);
        return NULL;
    }
    value = vault_open(&call->set->vault_key, name, sealed);
    if (value == NULL)
        channel_fail(call, "payload", "secret \"%.128s\" cannot be opened with this REEVE_VAULT_KEY", name);
    return value;
}

/* The secret is not in the vault.  It may come from the environment only if the database permits it. */
static char *
find_own(struct channel_call *call, const char *name, const json_t *permission)
{
    const char *problem = json_string_value(json_object_get(call->secrets, "vault_problem"));
    char *value = json_is_null(permission) ? secret_find(name) : NULL;

    if (value == NULL && problem != NULL)
        channel_fail(call, "payload", "secret \"%.128s\" not found: %s", name, problem);
    else if (value == NULL)
        channel_fail(call, "payload", "secret \"%.128s\" not found", name);
    return value;
}

char *
channel_secret(struct channel_call *call, const char *name)
{
    const json_t *given = json_object_get(json_object_get(call->secrets, "named"), name);
    const char *text = json_is_string(given) ? json_string_value(given) : json_string_value(json_object_get(given, "sealed"));
    char *value;

    if (text == NULL)
        value = find_own(call, name, given);
    else if (json_is_object(given) || vault_is_sealed(text))
        value = open_sealed(call, name, text);
    else
        value = must_strdup(text);
    if (value != NULL)
        channel_uses(call, value);
    return value;
}

char *
channel_seal(const struct channel_set *set, const char *name, const char *value)
{
    return set->has_vault_key ? vault_seal(&set->vault_key, name, value) : NULL;
}

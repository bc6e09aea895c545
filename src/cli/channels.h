/*
 * From options to channels and to the outbound policy.
 */
#ifndef CLI_CHANNELS_H
#define CLI_CHANNELS_H

#include "channel/channel.h"
#include "config/config.h"
#include "http/http_policy.h"

/* The options that these functions read, for the table of commands. */
#define CHANNEL_OPTIONS                                                                                                          \
    CONFIG_EMAIL_PROVIDER, CONFIG_RESEND_API_KEY, CONFIG_RESEND_URL, CONFIG_SMTP_URL, CONFIG_EMAIL_RATE, CONFIG_SMS_PROVIDER,    \
        CONFIG_TWILIO_ACCOUNT_SID, CONFIG_TWILIO_AUTH_TOKEN, CONFIG_TWILIO_FROM, CONFIG_TWILIO_URL, CONFIG_SMS_RATE,             \
        CONFIG_FILE_SERVICE_URL, CONFIG_FILE_SERVICE_API_KEY, CONFIG_FILE_DELETE_HOSTS, CONFIG_VAULT_KEY, CONFIG_ALLOW_HOSTS,    \
        CONFIG_ALLOW_HTTP_HOSTS, CONFIG_ALLOW_NETWORKS, CONFIG_ALLOW_PORTS, CONFIG_ALLOW_LOOPBACK, CONFIG_CA_FILE

/* Make the channels or the policy of these options, which are copied.  The caller frees them with channel_set_free or
 * http_policy_free.  False: an option is wrong, and `err` names its variable. */
NODISCARD bool channels_read(const struct config *config, struct channel_set **ret_set, struct err *err);
NODISCARD bool channels_read_policy(const struct config *config, struct http_policy **ret_policy, struct err *err);

#endif

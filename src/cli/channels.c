#include "cli/channels.h"

bool
channels_read(const struct config *config, struct channel_set **ret_set, struct err *err)
{
    struct channel_options options = {
        .email_provider = config_text(config, CONFIG_EMAIL_PROVIDER),
        .resend_key = config_text(config, CONFIG_RESEND_API_KEY),
        .resend_url = config_text(config, CONFIG_RESEND_URL),
        .smtp_url = config_text(config, CONFIG_SMTP_URL),
        .sms_provider = config_text(config, CONFIG_SMS_PROVIDER),
        .twilio_sid = config_text(config, CONFIG_TWILIO_ACCOUNT_SID),
        .twilio_token = config_text(config, CONFIG_TWILIO_AUTH_TOKEN),
        .twilio_from = config_text(config, CONFIG_TWILIO_FROM),
        .twilio_url = config_text(config, CONFIG_TWILIO_URL),
        .file_service_url = config_text(config, CONFIG_FILE_SERVICE_URL),
        .file_service_key = config_text(config, CONFIG_FILE_SERVICE_API_KEY),
        .file_delete_hosts = config_text(config, CONFIG_FILE_DELETE_HOSTS),
        .vault_key = config_text(config, CONFIG_VAULT_KEY),
        .email_rate = config_decimal(config, CONFIG_EMAIL_RATE),
        .sms_rate = config_decimal(config, CONFIG_SMS_RATE),
    };

    return channel_set_new(&options, ret_set, err);
}

bool
channels_read_policy(const struct config *config, struct http_policy **ret_policy, struct err *err)
{
    struct http_policy_options options = {
        .allow_http_hosts = config_text(config, CONFIG_ALLOW_HTTP_HOSTS),
        .allow_networks = config_text(config, CONFIG_ALLOW_NETWORKS),
        .allow_ports = config_text(config, CONFIG_ALLOW_PORTS),
        .allow_hosts = config_text(config, CONFIG_ALLOW_HOSTS),
        .is_development = config_is_on(config, CONFIG_ALLOW_LOOPBACK),
    };

    return http_policy_new(&options, ret_policy, err) || err_hint(err, "See REEVE_ALLOW_NETWORKS and REEVE_ALLOW_PORTS.");
}

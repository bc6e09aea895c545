/*
 * The names of a certificate.  If it has no alternative names, the library takes the name in its subject, which authorities
 * do not check any more.  So the handshake itself compares the alternative names, and nothing else.
 */
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "http/http_private.h"

CURLcode
http_tls_begin(CURL *easy, void *context, void *cookie)
{
    const struct http_transfer *transfer = cookie;
    X509_VERIFY_PARAM *rules = SSL_CTX_get0_param(context);
    char name[sizeof(transfer->target.host)];
    size_t length;

    (void)easy;
    (void)snprintf(name, sizeof(name), "%s", transfer->target.host);
    length = strlen(name);
    if (length > 1 && name[length - 1] == '.')
        name[length - 1] = '\0';
    if (transfer->target.is_numeric) {
        name[strcspn(name, "%")] = '\0';
        return X509_VERIFY_PARAM_set1_ip_asc(rules, name) == 1 ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK;
    }
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(rules, name, 0) == 1 ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK;
}

#include "channel/sign.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

static bool
is_algorithm(const char *name)
{
    static const char *const names[] = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"};

    for (size_t i = 0; i < LENGTH(names); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

bool
sign_hmac(const char *algorithm, const char *encoding, const char *key, size_t key_length, const char *body, size_t body_length,
    struct buf *text)
{
    const EVP_MD *digest = is_algorithm(algorithm) ? EVP_get_digestbyname(algorithm) : NULL;
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned char base64[EVP_MAX_MD_SIZE * 2];
    unsigned int size = 0;

    if (digest == NULL || (strcmp(encoding, "hex") != 0 && strcmp(encoding, "base64") != 0)
        || HMAC(digest, key, (int)key_length, (const unsigned char *)body, body_length, bytes, &size) == NULL)
        return false;
    if (strcmp(encoding, "hex") == 0) {
        for (unsigned int i = 0; i < size; i++)
            buf_printf(text, "%02x", bytes[i]);
    } else {
        buf_add(text, (const char *)base64, (size_t)EVP_EncodeBlock(base64, bytes, (int)size));
    }
    return true;
}

/* Decodes the key of one secret.  Returns its length in bytes; -1: it is not base64. */
static int
read_key(const char *secret, size_t length, unsigned char *key)
{
    int size;

    if (length > 6 && strncmp(secret, "whsec_", 6) == 0) {
        secret += 6;
        length -= 6;
    }
    if (length == 0 || length % 4 != 0 || length > 1024)
        return -1;
    size = EVP_DecodeBlock(key, (const unsigned char *)secret, (int)length);
    for (size_t i = length; size > 0 && i > length - 2 && secret[i - 1] == '='; i--)
        size--;
    return size;
}

bool
sign_standard(const char *secrets, const char *id, int64_t timestamp, const char *body, size_t body_length, struct buf *text,
    struct err *err)
{
    unsigned char key[1024];
    struct buf signed_text;
    bool ok = secrets[strspn(secrets, " ")] != '\0';
    const char *separator = "";

    buf_init(&signed_text, body_length + 512);
    buf_printf(&signed_text, "%s.%" PRId64 ".", id, timestamp);
    buf_add(&signed_text, body, body_length);
    for (const char *secret = secrets + strspn(secrets, " "); ok && *secret != '\0'; secret += strspn(secret, " ")) {
        size_t length = strcspn(secret, " ");
        int size = read_key(secret, length, key);

        ok = size > 0;
        if (ok) {
            buf_printf(text, "%sv1,", separator);
            ok = sign_hmac("sha256", "base64", (const char *)key, (size_t)size, signed_text.text, signed_text.length, text);
        }
        separator = " ";
        secret += length;
    }
    explicit_bzero(key, sizeof(key));
    buf_release(&signed_text);
    return ok || err_set(err, ERR_REFUSED, "", "the signing secret is not of the form whsec_<base64>");
}

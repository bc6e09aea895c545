#include "channel/vault.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

/* What a sealed text begins with; then base64 of nonce, ciphertext and tag. */
#define PREFIX "reeve:v1:"
enum { NONCE = 12, TAG = 16 };

bool
vault_key_read(const char *hex, struct vault_key *ret_key, struct err *err)
{
    if (strlen(hex) == 2 * sizeof(ret_key->bytes) && strspn(hex, "0123456789abcdefABCDEF") == strlen(hex)) {
        for (size_t i = 0; i < sizeof(ret_key->bytes); i++) {
            unsigned int byte = 0;

            (void)sscanf(hex + 2 * i, "%2x", &byte);
            ret_key->bytes[i] = (unsigned char)byte;
        }
        return true;
    }
    (void)err_set(err, ERR_REFUSED, "", "REEVE_VAULT_KEY is not 64 hexadecimal digits");
    return err_hint(err, "Make one with: openssl rand -hex 32");
}

bool
vault_is_sealed(const char *text)
{
    return strncmp(text, PREFIX, strlen(PREFIX)) == 0;
}

char *
vault_seal(const struct vault_key *key, const char *name, const char *value)
{
    size_t length = strlen(value);
    unsigned char *raw = must_alloc(NONCE + length + TAG);
    char *sealed = must_alloc(strlen(PREFIX) + (NONCE + length + TAG + 2) / 3 * 4 + 1);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int size = 0;

    if (cipher == NULL || RAND_bytes(raw, NONCE) != 1 || EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key->bytes, raw) != 1
        || EVP_EncryptUpdate(cipher, NULL, &size, (const unsigned char *)name, (int)strlen(name)) != 1
        || EVP_EncryptUpdate(cipher, raw + NONCE, &size, (const unsigned char *)value, (int)length) != 1
        || EVP_EncryptFinal_ex(cipher, raw + NONCE + size, &size) != 1
        || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, TAG, raw + NONCE + length) != 1)
        abort(); /* No randomness, no cipher: nothing here can go on. */
    EVP_CIPHER_CTX_free(cipher);
    memcpy(sealed, PREFIX, strlen(PREFIX) + 1);
    (void)EVP_EncodeBlock((unsigned char *)sealed + strlen(PREFIX), raw, (int)(NONCE + length + TAG));
    free(raw);
    return sealed;
}

static char *
open_raw(const struct vault_key *key, const char *name, unsigned char *raw, int raw_length)
{
    int length = raw_length - NONCE - TAG;
    char *value = must_alloc((size_t)length + 1);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int size = 0;
    bool ok = cipher != NULL && EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key->bytes, raw) == 1
              && EVP_DecryptUpdate(cipher, NULL, &size, (const unsigned char *)name, (int)strlen(name)) == 1
              && EVP_DecryptUpdate(cipher, (unsigned char *)value, &size, raw + NONCE, length) == 1
              && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, TAG, raw + NONCE + length) == 1
              && EVP_DecryptFinal_ex(cipher, (unsigned char *)value + size, &size) == 1;

    EVP_CIPHER_CTX_free(cipher);
    if (!ok) {
        explicit_bzero(value, (size_t)length + 1);
        free(value);
        return NULL;
    }
    value[length] = '\0';
    return value;
}

char *
vault_open(const struct vault_key *key, const char *name, const char *sealed)
{
    const char *base64 = sealed + strlen(PREFIX);
    size_t length = vault_is_sealed(sealed) ? strlen(base64) : 0;
    unsigned char *raw;
    char *value = NULL;
    int size;

    if (length < 4 || length % 4 != 0 || length > BOUND_SECRET_BYTES * 2)
        return NULL;
    raw = must_alloc(length);
    size = EVP_DecodeBlock(raw, (const unsigned char *)base64, (int)length);
    size -= base64[length - 1] == '=' ? 1 + (base64[length - 2] == '=') : 0;
    if (size >= NONCE + TAG)
        value = open_raw(key, name, raw, size);
    free(raw);
    return value;
}

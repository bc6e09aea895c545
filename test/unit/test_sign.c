/* Signatures, and values that only the program can read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "channel/secret.h"
#include "channel/sign.h"
#include "channel/vault.h"
#include "signatures.h"

static void
test_sign_hmac_equals_the_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(signatures); i++) {
        struct buf text;

        buf_init(&text, 512);
        assert_true(sign_hmac(signatures[i].algorithm, signatures[i].encoding, signatures[i].secret, strlen(signatures[i].secret),
            signatures[i].message, strlen(signatures[i].message), &text));
        assert_string_equal(text.text, signatures[i].signature);
        buf_release(&text);
    }
}

static void
test_sign_hmac_refuses_what_it_does_not_know(void **state)
{
    struct buf text;

    (void)state;
    buf_init(&text, 512);
    assert_false(sign_hmac("sha3-256", "hex", "k", 1, "", 0, &text));
    assert_false(sign_hmac("SHA256", "hex", "k", 1, "", 0, &text));
    assert_false(sign_hmac("sha256", "base32", "k", 1, "", 0, &text));
    assert_int_equal(text.length, 0);
    buf_release(&text);
}

static const char *const event =
    "{\"object\":\"event\",\"id\":\"evt_test\",\"type\":\"response.completed\",\"data\":{\"id\":\"resp_test\"}}";

static void
assert_standard(const char *secrets, const char *wanted)
{
    struct buf text;

    buf_init(&text, 1024);
    assert_true(sign_standard(secrets, "evt_test", 1752155502, event, strlen(event), &text, NULL));
    assert_string_equal(text.text, wanted);
    buf_release(&text);
}

static void
test_sign_standard_equals_the_vectors(void **state)
{
    (void)state;
    assert_standard("whsec_dGVzdCBzZWNyZXQ=", "v1,rY43waZlhuKQGqPKG7tZuQntwnyJ/G10LYhavcunr2s=");
    assert_standard("whsec_dGVzdCBzZWNyZXQ= whsec_c2Vjb25kIHNlY3JldA==",
        "v1,rY43waZlhuKQGqPKG7tZuQntwnyJ/G10LYhavcunr2s= v1,/zzNktMV2LuXHlNau1n3tuEr6jALq9npouBwwBT6JVE=");
    assert_standard("dGVzdCBzZWNyZXQ=", "v1,rY43waZlhuKQGqPKG7tZuQntwnyJ/G10LYhavcunr2s=");
}

/* HMAC takes a key up to the size of a block as if zeros followed, and hashes a longer one: there the padding would show. */
static void
test_sign_standard_a_long_key_ends_before_its_padding(void **state)
{
    (void)state;
    assert_standard("whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=",
        "v1,0O175GaSHABhWGONrdJ10fO6ApkHuOvnak2JJjwANhw=");
    assert_standard("whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2traw==",
        "v1,YQNGjhGo4qkrk8VjZxoZzlZgkF5Qi80Nfr+tvhBCeqM=");
}

static void
test_sign_standard_refuses_what_is_no_key(void **state)
{
    static const char *const bad[] = {"", " ", "whsec_", "whsec_not base64", "whsec_dGVzdCBzZWNyZXQ", "whsec_dGVzdA== whsec_?"};
    struct buf text;
    struct err err;

    (void)state;
    for (size_t i = 0; i < LENGTH(bad); i++) {
        buf_init(&text, 1024);
        assert_false(sign_standard(bad[i], "id", 1, "", 0, &text, &err));
        assert_string_equal(err.message, "the signing secret is not of the form whsec_<base64>");
        buf_release(&text);
    }
}

static const char *const key_text = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F";

static void
test_vault_opens_what_it_sealed_and_nothing_else(void **state)
{
    struct vault_key key;
    struct vault_key other;
    char *sealed;
    char *again;
    char *value;

    (void)state;
    assert_true(vault_key_read(key_text, &key, NULL));
    assert_int_equal(key.bytes[31], 0x1f);
    other = key;
    other.bytes[0] ^= 1;
    for (size_t length = 0; length < 40; length++) {
        char plain[41] = "0123456789012345678901234567890123456789";

        plain[length] = '\0';
        sealed = vault_seal(&key, "name", plain);
        assert_true(vault_is_sealed(sealed));
        assert_null(strstr(sealed, "0123"));
        value = vault_open(&key, "name", sealed);
        assert_string_equal(value, plain);
        secret_free(value);
        free(sealed);
    }
    sealed = vault_seal(&key, "name", "value");
    again = vault_seal(&key, "name", "value");
    assert_string_not_equal(sealed, again);
    assert_null(vault_open(&other, "name", sealed));
    assert_null(vault_open(&key, "other name", sealed));
    assert_null(vault_open(&key, "name", "value"));
    assert_null(vault_open(&key, "name", "reeve:v1:"));
    assert_null(vault_open(&key, "name", "reeve:v1:AAAA"));
    sealed[strlen(sealed) - 6] = sealed[strlen(sealed) - 6] == 'A' ? 'B' : 'A';
    assert_null(vault_open(&key, "name", sealed));
    free(sealed);
    free(again);
}

static void
test_vault_key_is_64_digits(void **state)
{
    struct vault_key key;
    struct err err;

    (void)state;
    assert_false(vault_key_read("00", &key, &err));
    assert_string_equal(err.hint, "Make one with: openssl rand -hex 32");
    assert_false(vault_key_read("zz0102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F", &key, &err));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sign_hmac_equals_the_vectors),
        cmocka_unit_test(test_sign_hmac_refuses_what_it_does_not_know),
        cmocka_unit_test(test_sign_standard_equals_the_vectors),
        cmocka_unit_test(test_sign_standard_a_long_key_ends_before_its_padding),
        cmocka_unit_test(test_sign_standard_refuses_what_is_no_key),
        cmocka_unit_test(test_vault_opens_what_it_sealed_and_nothing_else),
        cmocka_unit_test(test_vault_key_is_64_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

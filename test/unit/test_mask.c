/* Secrets in what a peer says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "channel/mask.h"

static void
assert_masked(const struct mask *mask, const char *text, size_t length, bool is_cut, const char *expected)
{
    struct buf buf;

    buf_init(&buf, 4096);
    buf_add(&buf, text, length);
    mask_apply(mask, &buf, is_cut);
    assert_string_equal(buf.text, expected);
    assert_int_equal(buf.length, strlen(expected));
    buf_release(&buf);
}

static void
assert_text_masked(const char *secret, const char *text, const char *expected)
{
    struct mask mask = {0};

    mask_add(&mask, secret, strlen(secret));
    assert_masked(&mask, text, strlen(text), false, expected);
    mask_release(&mask);
    assert_null(mask.items);
}

static void
test_mask_finds_a_secret_in_every_spelling(void **state)
{
    static const char secret[] = "p\"a/ss w\\rd&<1>";

    (void)state;
    assert_text_masked("canary-value", "canary-value and canary-value.", "*** and ***.");
    assert_text_masked("canary-value", "canary-valu", "canary-valu");
    assert_text_masked(secret, "p\"a/ss w\\rd&<1>", "***");
    assert_text_masked(secret, "{\"x\": \"p\\\"a/ss w\\\\rd&<1>\"}", "{\"x\": \"***\"}");
    assert_text_masked(secret, "{\"x\": \"p\\\"a\\/ss w\\\\rd&<1>\"}", "{\"x\": \"***\"}");
    assert_text_masked(secret, "x=p%22a%2Fss%20w%5Crd%26%3C1%3E&y", "x=***&y");
    assert_text_masked(secret, "x=p%22a%2fss%20w%5crd%26%3c1%3e&y", "x=***&y");
    assert_text_masked(secret, "x=p%22a%2Fss+w%5Crd%26%3C1%3E&y", "x=***&y");
    assert_text_masked(secret, "<b>p&quot;a/ss w\\rd&amp;&lt;1&gt;</b>", "<b>***</b>");
    assert_text_masked("canary", "63616e617279 63616E617279", "*** ***");
}

static void
test_mask_finds_base64_of_any_text_around_it(void **state)
{
    (void)state;
    /* "secret?>" alone; "u:secret?>" ; "us:secret?>!" ; for URLs */
    assert_text_masked("secret?>", "c2VjcmV0Pz4=", "***4=");
    assert_text_masked("secret?>", "Basic dTpzZWNyZXQ/Pg==", "Basic dTp***g==");
    assert_text_masked("secret?>", "dXM6c2VjcmV0Pz4h", "dXM6***4h");
    assert_text_masked("secret?>", "eHNlY3JldD8-IQ", "eH***IQ");
}

static void
test_mask_of_several_takes_the_longest_first(void **state)
{
    struct mask mask = {0};

    (void)state;
    mask_add(&mask, "secret", 6);
    mask_add(&mask, "secret-longer", 13);
    mask_add(&mask, "secret", 6);
    mask_add(&mask, "abc", 3); /* too short to be looked for */
    assert_masked(&mask, "secret-longer secret abc", 24, false, "*** *** abc");
    mask_release(&mask);
}

static void
test_mask_hides_the_beginning_of_a_secret_where_a_text_was_cut(void **state)
{
    struct mask mask = {0};

    (void)state;
    mask_add(&mask, "canary-value", 12);
    assert_masked(&mask, "canary-valuecanary-valuecanary-va", 33, true, "*********");
    assert_masked(&mask, "said canary-v", 13, true, "said ***");
    assert_masked(&mask, "said canary-v", 13, false, "said canary-v");
    assert_masked(&mask, "said can", 8, true, "said can");
    assert_masked(&mask, "canary", 6, true, "***");
    assert_masked(&mask, "", 0, true, "");
    mask_release(&mask);
}

static void
test_mask_takes_bytes_of_every_kind(void **state)
{
    struct mask mask = {0};

    (void)state;
    mask_add(&mask, "\0\xff\x01key", 6);
    assert_masked(&mask, "a\0\xff\x01keyb", 8, false, "a***b");
    assert_masked(&mask, "00ff016b6579", 12, false, "***");
    assert_masked(&mask, "AP8Ba2V5", 8, false, "***");
    mask_release(&mask);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask_finds_a_secret_in_every_spelling),
        cmocka_unit_test(test_mask_finds_base64_of_any_text_around_it),
        cmocka_unit_test(test_mask_of_several_takes_the_longest_first),
        cmocka_unit_test(test_mask_hides_the_beginning_of_a_secret_where_a_text_was_cut),
        cmocka_unit_test(test_mask_takes_bytes_of_every_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Foreign bytes made fit to be stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

#define REPLACED "\xef\xbf\xbd"

static void
assert_cleaned(const char *bytes, size_t length, const char *expected)
{
    struct buf to;

    buf_init(&to, 4096);
    assert_true(utf8_clean(&to, bytes, length, 4096));
    assert_string_equal(to.text, expected);
    assert_true(utf8_is_valid(to.text, to.length));
    assert_int_equal(utf8_is_valid(bytes, length), length == to.length && memcmp(bytes, to.text, length) == 0);
    buf_release(&to);
}

static void
test_utf8_what_is_valid_stays_as_it_is(void **state)
{
    static const char *const texts[] = {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\357\273\277bom",
        "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80",
        "\xf4\x8f\xbf\xbf", "\x01\x1b[2J\x7f\t\r\n"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_cleaned(texts[i], strlen(texts[i]), texts[i]);
}

static void
test_utf8_broken_sequences_nul_and_surrogates_are_replaced(void **state)
{
    (void)state;
    assert_cleaned("a\0b", 3, "a" REPLACED "b");
    assert_cleaned("\x80", 1, REPLACED);
    assert_cleaned("a\xff\xfe", 3, "a" REPLACED REPLACED);
    assert_cleaned("\xc3(", 2, REPLACED "(");
    assert_cleaned("\xc3", 1, REPLACED);                           /* cut by the end */
    assert_cleaned("\xe2\x82", 2, REPLACED REPLACED);              /* likewise */
    assert_cleaned("\xf0\x9f\x98", 3, REPLACED REPLACED REPLACED); /* likewise */
    assert_cleaned("\xc0\x80", 2, REPLACED REPLACED);              /* NUL, too long */
    assert_cleaned("\xc1\xbf", 2, REPLACED REPLACED);              /* too long */
    assert_cleaned("\xe0\x9f\xbf", 3, REPLACED REPLACED REPLACED); /* too long */
    assert_cleaned("\xf0\x8f\xbf\xbf", 4, REPLACED REPLACED REPLACED REPLACED);
    assert_cleaned("\xed\xa0\x80", 3, REPLACED REPLACED REPLACED);              /* a surrogate */
    assert_cleaned("\xed\xbf\xbf", 3, REPLACED REPLACED REPLACED);              /* the other half */
    assert_cleaned("\xf4\x90\x80\x80", 4, REPLACED REPLACED REPLACED REPLACED); /* beyond Unicode */
    assert_cleaned("\xf5\x80\x80\x80", 4, REPLACED REPLACED REPLACED REPLACED);
    assert_cleaned("\xe2\x28\xa1", 3, REPLACED "(" REPLACED);
}

static void
test_utf8_every_pair_of_bytes_becomes_valid_text(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++) {
        for (int j = 0; j < 256; j++) {
            const char bytes[] = {(char)i, (char)j};
            struct buf to;

            buf_init(&to, 16);
            assert_true(utf8_clean(&to, bytes, 2, 16));
            assert_true(utf8_is_valid(to.text, to.length));
            assert_true(to.length > 0 && strlen(to.text) == to.length);
            buf_release(&to);
        }
    }
}

static void
test_utf8_never_cuts_a_character_in_two(void **state)
{
    static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z\xff";
    static const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11, 11, 14, 14};

    (void)state;
    for (size_t most = 0; most < sizeof(ends) / sizeof(ends[0]); most++) {
        struct buf to;

        buf_init(&to, 64);
        assert_int_equal(utf8_clean(&to, text, sizeof(text) - 1, most), most >= 14);
        assert_int_equal(to.length, ends[most]);
        assert_true(utf8_is_valid(to.text, to.length));
        buf_release(&to);
    }
}

static void
test_utf8_the_limit_counts_what_is_added_not_what_was_there(void **state)
{
    struct buf to;

    (void)state;
    buf_init(&to, 64);
    buf_puts(&to, "before ");
    assert_true(utf8_clean(&to, "abc", 3, 3));
    assert_false(utf8_clean(&to, "abcd", 4, 3));
    assert_string_equal(to.text, "before abcabc");
    buf_release(&to);
}

static void
test_utf8_a_line_has_no_control_characters(void **state)
{
    struct buf to;

    (void)state;
    buf_init(&to, 64);
    assert_true(utf8_clean_line(&to, "a\r\nb\t\x1b[2J\x7f\0\xc3\xa9", 13, 64));
    assert_string_equal(to.text, "a  b  [2J " REPLACED "\xc3\xa9");
    buf_clear(&to);
    assert_true(utf8_clean_line(&to,
        "a\xc2\x9b"
        "2J\xc2\x80\xc2\x9f\xc2\xa0",
        11, 64)); /* one of these begins an escape sequence */
    assert_string_equal(to.text, "a 2J  \xc2\xa0");
    buf_release(&to);
}

static void
shows(const char *text, const char *expected)
{
    struct buf to;

    buf_init(&to, 64);
    utf8_show(&to, text, strlen(text), false);
    assert_string_equal(to.text, expected);
    buf_release(&to);
}

static void
test_utf8_what_a_terminal_obeys_or_hides_is_shown_by_its_number(void **state)
{
    static const unsigned int hidden[] = {0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff};

    (void)state;
    shows("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xd7\x90", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xd7\x90");
    shows("\x1b[2J\x7f\n", "\\u001b[2J\\u007f\\u000a");
    shows("a\xc2\x9b"
          "31m\xc2\x80\xc2\x9f\xc2\xa0",
        "a\\u009b31m\\u0080\\u009f\xc2\xa0");
    shows("\xff\xc2", "\\ufffd\\ufffd");
    shows("\xf3\xa0\x81\x81", "\\udb40\\udc41");
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        unsigned int n = hidden[i];
        char text[4] = {(char)(0xe0 | n >> 12), (char)(0x80 | (n >> 6 & 0x3f)), (char)(0x80 | (n & 0x3f)), '\0'};
        char two[3] = {(char)(0xc0 | n >> 6), (char)(0x80 | (n & 0x3f)), '\0'};
        char expected[8];

        (void)snprintf(expected, sizeof(expected), "\\u%04x", n);
        shows(n < 0x800 ? two : text, expected);
    }
}

static void
test_utf8_a_line_has_no_hidden_characters(void **state)
{
    struct buf to;

    (void)state;
    buf_init(&to, 64);
    assert_true(utf8_clean_line(&to, "a\xe2\x80\xaez\xe2\x80\xa8y", 9, 64));
    assert_string_equal(to.text, "a z y");
    buf_release(&to);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8_what_is_valid_stays_as_it_is),
        cmocka_unit_test(test_utf8_broken_sequences_nul_and_surrogates_are_replaced),
        cmocka_unit_test(test_utf8_every_pair_of_bytes_becomes_valid_text),
        cmocka_unit_test(test_utf8_never_cuts_a_character_in_two),
        cmocka_unit_test(test_utf8_the_limit_counts_what_is_added_not_what_was_there),
        cmocka_unit_test(test_utf8_a_line_has_no_control_characters),
        cmocka_unit_test(test_utf8_what_a_terminal_obeys_or_hides_is_shown_by_its_number),
        cmocka_unit_test(test_utf8_a_line_has_no_hidden_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Growable text with a ceiling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/list.h"

static void
test_buf_is_empty_text_from_the_start(void **state)
{
    struct buf buf;

    (void)state;
    buf_init(&buf, 10);
    assert_string_equal(buf.text, "");
    buf_release(&buf);
}

static void
test_buf_refuses_to_grow_past_its_ceiling(void **state)
{
    struct buf buf;

    (void)state;
    buf_init(&buf, 10);
    buf_puts(&buf, "0123456789");
    assert_false(buf.overflowed);
    buf_puts(&buf, "x");
    assert_true(buf.overflowed);
    assert_string_equal(buf.text, "0123456789");
    buf_clear(&buf);
    buf_printf(&buf, "%d", 12345);
    assert_string_equal(buf.text, "12345");
    assert_false(buf.overflowed);
    buf_release(&buf);
}

static void
test_buf_json_escapes_quotes_and_control_characters(void **state)
{
    struct buf buf;

    (void)state;
    buf_init(&buf, 100);
    buf_json(&buf, "a\"b\\c\n\x1b[31m\x7f");
    assert_string_equal(buf.text, "\"a\\\"b\\\\c\\u000a\\u001b[31m\\u007f\"");
    buf_release(&buf);
}

struct item {
    int number;
    struct list node;
};

static void
test_list_keeps_order_and_a_node_is_on_one_list_only(void **state)
{
    struct item items[3] = {{.number = 1}, {.number = 2}, {.number = 3}};
    struct list a;
    struct list b;

    (void)state;
    list_init(&a);
    list_init(&b);
    for (int i = 0; i < 3; i++) {
        list_init(&items[i].node);
        list_append(&a, &items[i].node);
    }
    list_prepend(&b, &items[1].node); /* leaves a by itself */
    assert_int_equal(LIST_OWNER(a.next, struct item, node)->number, 1);
    assert_int_equal(LIST_OWNER(a.next->next, struct item, node)->number, 3);
    assert_int_equal(LIST_OWNER(b.next, struct item, node)->number, 2);
    list_remove(&items[1].node);
    list_remove(&items[1].node); /* harmless when idle */
    assert_true(list_is_empty(&b));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buf_is_empty_text_from_the_start),
        cmocka_unit_test(test_buf_refuses_to_grow_past_its_ceiling),
        cmocka_unit_test(test_buf_json_escapes_quotes_and_control_characters),
        cmocka_unit_test(test_list_keeps_order_and_a_node_is_on_one_list_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

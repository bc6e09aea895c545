/* The clock of leases: it goes on while the machine is suspended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "loop/loop.h"

static const char offset[] = "boottime 86400 0";

/* In a namespace whose machine was suspended for a day, as far as its clocks can tell. */
static void
test_clock_of_leases_counts_a_day_of_suspend(void **state)
{
    int64_t outside_ms = loop_boot_ms();
    int file;
    int status;
    pid_t child;

    (void)state;
    if (unshare(CLONE_NEWTIME) != 0)
        skip(); /* Not without root. */
    file = open("/proc/self/timens_offsets", O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(write(file, offset, strlen(offset)), (ssize_t)strlen(offset));
    assert_int_equal(close(file), 0);
    child = fork(); /* Children are in the namespace. */
    if (child == 0)
        _exit(loop_boot_ms() - outside_ms >= 86400000 ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_of_leases_counts_a_day_of_suspend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

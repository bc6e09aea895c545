/*
 * The filter of reeve work, in a process of its own: it cannot be taken back.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/confine.h"

static void *
note(void *cookie)
{
    *(int *)cookie = 1;
    return NULL;
}

/* Exit code: 0 if everything is as it should be, 77 if there is no filter here, else the number of what is wrong. */
static int
try_everything(void)
{
    char *const arguments[] = {(char[]){"true"}, NULL};
    pthread_t thread;
    int was_run = 0;

    if (!confine_to_threads())
        return 77;
    if (fork() != -1 || errno != EPERM)
        return 1;
    if (execv("/bin/true", arguments) != -1 || errno != EPERM)
        return 2;
    if (vfork() != -1 || errno != EPERM)
        return 3;
    if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) != -1 || errno != EPERM)
        return 4;
    if (pthread_create(&thread, NULL, note, &was_run) != 0 || pthread_join(thread, NULL) != 0 || was_run != 1)
        return 5;
    return 0;
}

static void
test_a_confined_process_starts_threads_only(void **state)
{
    pid_t pid = fork();
    int status = 0;

    (void)state;
    if (pid == 0)
        _exit(try_everything());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_confined_process_starts_threads_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

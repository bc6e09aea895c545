#include "program/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parse.h"

enum { GRACE_MS = 1000 };    /* time between TERM and KILL when the worker is gone */
enum { DESCRIPTORS = 1024 }; /* soft limit of descriptors of a program, unless an option says otherwise */

static const struct {
    const char *name;
    int resource;
} resources[] = {
    {"as", RLIMIT_AS},
    {"core", RLIMIT_CORE},
    {"cpu", RLIMIT_CPU},
    {"data", RLIMIT_DATA},
    {"fsize", RLIMIT_FSIZE},
    {"memlock", RLIMIT_MEMLOCK},
    {"nice", RLIMIT_NICE},
    {"nofile", RLIMIT_NOFILE},
    {"nproc", RLIMIT_NPROC},
    {"stack", RLIMIT_STACK},
};

static bool
read_mask(const char *text, mode_t *ret_mask)
{
    mode_t mask = 0;

    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '7' || c - text > 3)
            return false;
        mask = (mode_t)(mask * 8 + (mode_t)(*c - '0'));
    }
    *ret_mask = mask & 0777;
    return text[0] != '\0';
}

/* One NAME=VALUE of a list that is separated by commas. */
static bool
read_limit(const char *item, size_t length, int *ret_resource, rlim_t *ret_value)
{
    const char *equals = memchr(item, '=', length);
    char number[24];
    int64_t value;

    if (equals == NULL || (size_t)(item + length - equals) > sizeof(number))
        return false;
    (void)snprintf(number, sizeof(number), "%.*s", (int)(item + length - equals - 1), equals + 1);
    if (!parse_int(number, 0, INT64_MAX, &value, NULL))
        return false;
    *ret_value = (rlim_t)value;
    for (size_t i = 0; i < LENGTH(resources); i++) {
        if (strlen(resources[i].name) == (size_t)(equals - item)
            && strncmp(resources[i].name, item, strlen(resources[i].name)) == 0) {
            *ret_resource = resources[i].resource;
            return true;
        }
    }
    return false;
}

/* Reads the limits, and sets them if `is_set`. */
static bool
read_limits(const char *text, bool is_set)
{
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        struct rlimit limit;
        rlim_t value;
        int resource;

        if (length > 0) {
            if (!read_limit(text, length, &resource, &value))
                return false;
            limit = (struct rlimit){.rlim_cur = value, .rlim_max = value};
            if (is_set && setrlimit((__rlimit_resource_t)resource, &limit) != 0)
                return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

bool
launcher_check(const char *mask, const char *limits, const char *user, struct err *err)
{
    mode_t ignored;

    if (mask != NULL && !read_mask(mask, &ignored))
        return err_set(err, ERR_REFUSED, "", "umask \"%s\" is not an octal number such as 027", mask);
    if (limits != NULL && !read_limits(limits, false))
        return err_set(err, ERR_REFUSED, "",
            "limits \"%s\" are not NAME=VALUE, with as, core, cpu, data, fsize, memlock, nice, nofile, nproc or stack", limits);
    if (user != NULL && getpwnam(user) == NULL)
        return err_set(err, ERR_REFUSED, "", "there is no user \"%s\"", user);
    return true;
}

/* Says what went wrong on the standard error of the program, and ends. */
static _Noreturn void
give_up(const char *what, const char *value)
{
    (void)dprintf(STDERR_FILENO, "reeve: %s \"%s\": %s\n", what, value, strerror(errno));
    _exit(127);
}

static void
become(const char *user)
{
    const struct passwd *account = getpwnam(user);

    if (account == NULL || setgid(account->pw_gid) != 0 || initgroups(user, account->pw_gid) != 0 || setuid(account->pw_uid) != 0)
        give_up("cannot become user", user);
}

/* The process of the program, up to its exec. */
static _Noreturn void
run_program(const char *user, const char *directory, char **program, const sigset_t *mask, pid_t launcher)
{
    if (user[0] != '\0')
        become(user);
    if (directory[0] != '\0' && chdir(directory) != 0)
        give_up("cannot enter directory", directory);
    /* After the change of user, which would take it back. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher)
        _exit(127); /* it died before the signal was set */
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    (void)execvp(program[0], program);
    give_up("cannot execute", program[0]);
}

/* The pipes of the program must end with it, so the launcher keeps none of them. */
static void
leave_pipes(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < LAUNCHER_CONTROL; fd++) {
        if (fd <= STDERR_FILENO && null >= 0)
            (void)dup2(null, fd);
        else
            (void)close(fd);
    }
}

/* Ends the whole group, and this process with it. */
static _Noreturn void
end_group(void)
{
    (void)kill(0, SIGKILL);
    _exit(1);
}

/* Reports the end of the program, if it has ended. */
static void
look_at_program(pid_t pid)
{
    int status;

    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended != pid)
            continue;
        (void)dprintf(LAUNCHER_STATUS, "X %d %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 0,
            WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        end_group();
    }
}

/* The worker raised its own limit of descriptors.  A program that knows no more than select() needs a low one. */
static void
lower_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > DESCRIPTORS) {
        limit.rlim_cur = DESCRIPTORS;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

_Noreturn void
launcher_run(int argc, char **argv)
{
    sigset_t signals;
    sigset_t before;
    struct pollfd fds[2] = {{.fd = -1, .events = POLLIN}, {.fd = LAUNCHER_CONTROL, .events = POLLIN}};
    mode_t mask;
    bool is_ending = false;
    pid_t launcher;
    pid_t pid;

    if (argc <= LAUNCHER_WORDS)
        _exit(127);
    (void)prctl(PR_SET_PDEATHSIG, SIGUSR2);
    (void)fcntl(LAUNCHER_CONTROL, F_SETFD, FD_CLOEXEC);
    (void)fcntl(LAUNCHER_STATUS, F_SETFD, FD_CLOEXEC);
    (void)sigfillset(&signals);
    (void)sigprocmask(SIG_SETMASK, &signals, &before);
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGCHLD);
    (void)sigaddset(&signals, SIGUSR2);
    fds[0].fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (read_mask(argv[2], &mask))
        (void)umask(mask);
    lower_descriptors();
    if (!read_limits(argv[3], true))
        give_up("cannot set limits", argv[3]);
    /* If the worker died before PR_SET_PDEATHSIG, its end of the pipe is closed. */
    if (poll(&fds[1], 1, 0) != 0)
        _exit(127);
    launcher = getpid();
    pid = fork();
    if (pid < 0)
        give_up("cannot start", argv[LAUNCHER_WORDS]);
    if (pid == 0)
        run_program(argv[4], argv[5], argv + LAUNCHER_WORDS, &before, launcher);
    (void)dprintf(LAUNCHER_STATUS, "P %d\n", (int)pid);
    leave_pipes();
    while (true) {
        struct signalfd_siginfo info;
        int ready = poll(fds, is_ending ? 1 : 2, is_ending ? GRACE_MS : -1);

        if (ready == 0)
            end_group();
        while (read(fds[0].fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
            if (info.ssi_signo == SIGUSR2 && !is_ending)
                fds[1].revents = POLLHUP; /* The worker has died. */
        }
        look_at_program(pid);
        if (!is_ending && fds[1].revents != 0) {
            is_ending = true;
            (void)kill(0, SIGTERM); /* This process has blocked it. */
        }
    }
}

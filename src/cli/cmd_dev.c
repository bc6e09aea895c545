/*
 * reeve dev: a private PostgreSQL, the schema, a worker, the dashboard, and a short demo that shows each fact when it is
 * recorded.  At the end everything is stopped.  Committed data stays, and the next start resumes it.  With --once, all that the
 * demo made is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bundle.h"
#include "cli/cluster.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/story.h"

static volatile sig_atomic_t stop_asked = 0;

static void
on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

static void
catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* Starts this program as a worker, which ends when this process ends. */
static pid_t
start_worker(const struct cluster *cluster, const struct mail_catcher *mail)
{
    pid_t parent = getpid();
    pid_t child = fork();
    char url[64];
    int fd;

    if (child != 0)
        return child;
    (void)setpgid(0, 0); /* Ctrl-C must reach this process only, which then stops the worker. */
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(0);
    fd = openat(cluster->dir.fd, "worker.log", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)dup2(fd, STDERR_FILENO);
    (void)snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", mail->port);
    (void)setenv("REEVE_SMTP_URL", url, 1);
    (void)execl("/proc/self/exe", "reeve", "work", "--database-url", cluster->conninfo, "--lease", "10", "--allow-loopback",
        "--email-provider", "smtp", "--sms-provider", "log", (char *)NULL);
    _exit(127);
}

/* Starts this program as the dashboard, which prints its address itself, and ends when this process ends. */
static pid_t
start_dashboard(const struct cluster *cluster)
{
    pid_t parent = getpid();
    pid_t child;
    int fd;

    (void)puts("\nThe dashboard lets in who opens this address, once:");
    (void)fflush(stdout);
    child = fork();
    if (child != 0)
        return child;
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(0);
    fd = openat(cluster->dir.fd, "serve.log", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)dup2(fd, STDERR_FILENO);
    (void)execl("/proc/self/exe", "reeve", "serve", "--database-url", cluster->conninfo, "--listen", "127.0.0.1:0", "--login",
        "token", (char *)NULL);
    _exit(127);
}

static bool
stop_worker(pid_t worker)
{
    int status = 0;

    if (worker <= 0)
        return false;
    (void)kill(worker, SIGTERM);
    while (waitpid(worker, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Installs or migrates, with the code of the commands. */
static int
prepare_schema(const struct command *command, const struct config *config, const struct cluster *cluster)
{
    struct config ours = *config;
    struct db_once *db;
    struct err err;
    int code;

    ours.values[CONFIG_DATABASE_URL] = cluster->conninfo;
    ours.values[CONFIG_DRY_RUN] = NULL;
    ours.values[CONFIG_RUNNER] = "invoker";
    ours.values[CONFIG_STRICT] = NULL;
    (void)fflush(stdout);
    if (!db_once_open(cluster->conninfo, NULL, &db, &err))
        return command_fail(&err);
    if (db_once_query(db, "select max(version) from queues.migration", 0, NULL, NULL, NULL))
        code = cmd_migrate(command, &ours);
    else
        code = cmd_install(command, &ours);
    if (code == EXIT_OK && !db_once_script(db, bundle_demo, &err))
        code = command_fail(&err);
    db_once_close(db);
    return code;
}

static void
print_connect(const struct cluster *cluster)
{
    (void)printf(
        "\nThe database keeps running.  In another terminal:\n\n"
        "  psql -h '%s' -p %d -U postgres reeve\n\n"
        "  select queues.enqueue('db_function', '{\"db_function\": \"demo.write_note\", \"text\": \"my first task\"}');\n"
        "  select * from queues.task_state order by task_id desc limit 5;\n"
        "  select * from demo.note;\n\n"
        "  select comms.create_and_kickoff_email_task('me@example.com', 'you@example.com', 'Hello', '<p>Hi</p>');\n\n"
        "E-mail is not sent; it is stored in %s/mail.\n"
        "The database also listens on 127.0.0.1:%d (user postgres, password in %s/password).  Other users of this machine cannot "
        "use it.\n"
        "The worker's log is %s/worker.log.  Ctrl-C stops everything.\n",
        cluster->socket, cluster->port, cluster->dir.path, cluster->port, cluster->server.path, cluster->dir.path);
    (void)fflush(stdout);
}

static void
wait_for_stop(pid_t worker)
{
    while (!stop_asked) {
        if (waitpid(worker, NULL, WNOHANG) == worker) {
            (void)fputs("reeve: the worker has ended; see worker.log\n", stderr);
            return;
        }
        (void)usleep(200000);
    }
}

int
cmd_dev(const struct command *command, const struct config *config)
{
    struct cluster cluster;
    struct err err;
    struct mail_catcher mail = {0};
    pid_t worker = 0;
    pid_t dashboard = 0;
    int code;

    catch_signals();
    (void)umask(077);
    (void)puts("Starting a private PostgreSQL ...");
    (void)fflush(stdout);
    if (!cluster_start(&cluster, config->positional_count > 0 ? config->positionals[0] : NULL, &err))
        return command_fail(&err);
    (void)printf("It is in %s\n", cluster.dir.path);
    (void)fflush(stdout);
    code = mail_catcher_start(&mail, &cluster.dir, &err) ? prepare_schema(command, config, &cluster) : command_fail(&err);
    if (code == EXIT_OK && !stop_asked) {
        worker = start_worker(&cluster, &mail);
        code = story_tell(cluster.conninfo, &mail, &stop_asked);
    }
    if (code == EXIT_OK && !config_is_on(config, CONFIG_ONCE) && !stop_asked) {
        print_connect(&cluster);
        dashboard = start_dashboard(&cluster);
        wait_for_stop(worker);
    }
    (void)stop_worker(dashboard);
    if (worker > 0 && !stop_worker(worker) && code == EXIT_OK && config_is_on(config, CONFIG_ONCE)) {
        (void)fputs("reeve: the worker did not stop cleanly; see worker.log\n", stderr);
        code = EXIT_UNEXPECTED;
    }
    mail_catcher_stop(&mail);
    cluster_stop(&cluster);
    if (code == EXIT_OK && config_is_on(config, CONFIG_ONCE) && cluster.is_new && !stop_asked)
        cluster_remove(&cluster);
    (void)puts("Everything is stopped.");
    return code;
}

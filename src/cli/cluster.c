#include "cli/cluster.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parse.h"
#include "db/db_once.h"

/* The newest PostgreSQL of the system, or the one on the path. */
static bool
find_bin(struct cluster *cluster, struct err *err)
{
    DIR *folder = opendir("/usr/lib/postgresql");
    struct dirent *entry;
    int64_t best = 0;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        int64_t version;
        char path[300];

        if (!parse_int(entry->d_name, 13, 1000, &version, NULL) || version <= best)
            continue;
        (void)snprintf(path, sizeof(path), "/usr/lib/postgresql/%s/bin/postgres", entry->d_name);
        if (access(path, X_OK) == 0)
            best = version;
    }
    if (folder != NULL)
        (void)closedir(folder);
    if (best == 0) {
        (void)err_set(err, ERR_REFUSED, "", "no PostgreSQL server programs found in /usr/lib/postgresql");
        return err_hint(err, "Install PostgreSQL 13 or later (apt-get install postgresql), or run scripts/bootstrap.");
    }
    (void)snprintf(cluster->bin, sizeof(cluster->bin), "/usr/lib/postgresql/%d/bin", (int)best);
    return true;
}

static void
choose_user(struct cluster *cluster)
{
    struct passwd *user = NULL;

    cluster->uid = getuid();
    cluster->gid = getgid();
    if (cluster->uid != 0)
        return;
    user = getpwnam("postgres");
    if (user == NULL)
        user = getpwnam("nobody");
    if (user != NULL) {
        cluster->uid = user->pw_uid;
        cluster->gid = user->pw_gid;
    }
}

static void
become(const struct cluster *cluster)
{
    if (getuid() != 0)
        return;
    if (setgroups(0, NULL) != 0 || setgid(cluster->gid) != 0 || setuid(cluster->uid) != 0)
        _exit(126);
}

/* A signal that we catch must not make us forget a child: what it starts goes on. */
static bool
wait_for(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return true;
}

/* Run a program as the cluster's user; its output goes to dir/setup.log. */
static int
run(const struct cluster *cluster, const char *program, const char *const *args)
{
    const char *words[24] = {NULL};
    char path[300];
    char log[500];
    int status = 0;
    pid_t child;

    (void)snprintf(path, sizeof(path), "%s/%s", cluster->bin, program);
    (void)snprintf(log, sizeof(log), "%s/setup.log", cluster->dir);
    child = fork();
    if (child == 0) {
        int fd;

        become(cluster);
        (void)!chdir("/");
        fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (fd >= 0) {
            (void)dup2(fd, STDOUT_FILENO);
            (void)dup2(fd, STDERR_FILENO);
        }
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (fd >= 0)
            (void)dup2(fd, STDIN_FILENO);
        /* They look for each other beside the path by which they were called. */
        words[0] = path;
        for (int i = 1; i < (int)LENGTH(words) - 1 && args[i] != NULL; i++)
            words[i] = args[i];
        (void)execv(path, (char *const *)(uintptr_t)words);
        _exit(127);
    }
    if (child < 0 || !wait_for(child, &status) || !WIFEXITED(status))
        return 127;
    return WEXITSTATUS(status);
}

/* Can the cluster's user reach and write this folder? */
static bool
is_usable(const struct cluster *cluster, const char *dir)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        become(cluster);
        _exit(access(dir, R_OK | W_OK | X_OK) == 0 ? 0 : 1);
    }
    return child > 0 && wait_for(child, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool
make_dir(struct cluster *cluster, const char *dir, struct err *err)
{
    struct stat status;
    char *absolute;

    if (mkdir(dir, 0755) != 0 && errno != EEXIST)
        return err_set(err, ERR_REFUSED, "", "could not create folder \"%s\": %s", dir, strerror(errno));
    absolute = realpath(dir, NULL);
    if (absolute == NULL || strlen(absolute) >= sizeof(cluster->dir) - 32) {
        free(absolute);
        return err_set(err, ERR_REFUSED, "", "folder \"%s\" cannot be used", dir);
    }
    (void)snprintf(cluster->dir, sizeof(cluster->dir), "%s", absolute);
    free(absolute);
    if (getuid() == 0 && chown(cluster->dir, cluster->uid, cluster->gid) != 0)
        return err_set(err, ERR_REFUSED, "", "could not give folder \"%s\" away: %s", dir, strerror(errno));
    if (!is_usable(cluster, cluster->dir)) {
        (void)err_set(err, ERR_REFUSED, "", "user %d cannot reach folder \"%s\"", (int)cluster->uid, cluster->dir);
        return err_hint(err, "PostgreSQL does not run as root; name a folder that others can reach: reeve dev /var/tmp/reeve");
    }
    /* The path of a socket is short by law: 107 bytes with its name.  In the server's list of
     * folders and in connection strings some characters mean something. */
    (void)snprintf(cluster->socket, sizeof(cluster->socket), "%.190s", cluster->dir);
    if (strlen(cluster->dir) > 80 || strpbrk(cluster->dir, "'\\,\"") != NULL) {
        (void)snprintf(cluster->socket, sizeof(cluster->socket), "/tmp/reeve-%d", (int)cluster->uid);
        if (mkdir(cluster->socket, 0700) == 0 && getuid() == 0)
            (void)!chown(cluster->socket, cluster->uid, cluster->gid);
        /* Anybody may make folders there; a stranger's is not used. */
        if (lstat(cluster->socket, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != cluster->uid
            || (status.st_mode & 077) != 0)
            return err_set(err, ERR_REFUSED, "", "folder \"%s\" is not private to user %d", cluster->socket, (int)cluster->uid);
    }
    return true;
}

static bool
make_password(const struct cluster *cluster, char *path, size_t size)
{
    unsigned char bytes[16];
    int fd;
    bool ok;

    (void)snprintf(path, size, "%s/password", cluster->dir);
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    for (size_t i = 0; i < sizeof(bytes); i++)
        (void)dprintf(fd, "%02x", bytes[i]);
    (void)dprintf(fd, "\n");
    ok = getuid() != 0 || fchown(fd, cluster->uid, cluster->gid) == 0;
    (void)close(fd);
    return ok;
}

static bool
init(const struct cluster *cluster, struct err *err)
{
    char data[460];
    char password[460];
    const char *args[] = {"initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "--auth-local=trust",
        "--auth-host=scram-sha-256", "--pwfile", password, NULL};
    char version[480];

    (void)snprintf(data, sizeof(data), "%s/data", cluster->dir);
    (void)snprintf(version, sizeof(version), "%s/PG_VERSION", data);
    if (access(version, F_OK) == 0)
        return true;
    if (!make_password(cluster, password, sizeof(password)))
        return err_set(err, ERR_REFUSED, "", "could not write \"%s\": %s", password, strerror(errno));
    if (run(cluster, "initdb", args) != 0)
        return err_set(err, ERR_REFUSED, "", "initdb failed; see %s/setup.log", cluster->dir);
    return true;
}

/* A port that nobody uses right now; 0 lets the kernel choose. */
static int
free_port(int wanted)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)wanted)};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int port = 0;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0
        && getsockname(fd, (struct sockaddr *)&address, &length) == 0)
        port = ntohs(address.sin_port);
    if (fd >= 0)
        (void)close(fd);
    return port;
}

/* The port of a server that runs already, from its pid file; 0: none runs. */
static int
running_port(const struct cluster *cluster)
{
    char data[460];
    char path[480];
    const char *args[] = {"pg_ctl", "-D", data, "status", NULL};
    char line[128] = "";
    FILE *file;
    int64_t port = 0;

    (void)snprintf(data, sizeof(data), "%s/data", cluster->dir);
    if (run(cluster, "pg_ctl", args) != 0)
        return 0;
    (void)snprintf(path, sizeof(path), "%s/postmaster.pid", data);
    file = fopen(path, "re");
    for (int i = 0; file != NULL && i < 4; i++) {
        if (fgets(line, sizeof(line), file) == NULL)
            line[0] = '\0';
    }
    if (file != NULL)
        (void)fclose(file);
    line[strcspn(line, "\n")] = '\0';
    (void)!parse_int(line, 1, 65535, &port, NULL);
    return (int)port;
}

static void
set_conninfo(struct cluster *cluster, const char *database)
{
    (void)snprintf(cluster->conninfo, sizeof(cluster->conninfo), "host='%s' port=%d user=postgres dbname=%s", cluster->socket,
        cluster->port, database);
}

static bool
answers(struct cluster *cluster)
{
    struct db_once *db;

    set_conninfo(cluster, "postgres");
    if (!db_once_open(cluster->conninfo, NULL, &db, NULL))
        return false;
    db_once_close(db);
    return true;
}

static bool
run_server(struct cluster *cluster)
{
    char data[460];
    char log[460];
    char options[700];
    const char *args[] = {"pg_ctl", "-D", data, "-l", log, "-w", "-t", "60", "-o", options, "start", NULL};

    (void)snprintf(data, sizeof(data), "%s/data", cluster->dir);
    (void)snprintf(log, sizeof(log), "%s/postgres.log", cluster->dir);
    cluster->port = free_port(0);
    (void)snprintf(options, sizeof(options), "-k '%s' -p %d -c listen_addresses=127.0.0.1 -c max_connections=100",
        cluster->socket, cluster->port);
    return run(cluster, "pg_ctl", args) == 0;
}

/* A server that was killed a moment ago may still seem to run, or leave children that keep
 * a new one from starting: both pass. */
static bool
start_server(struct cluster *cluster, struct err *err)
{
    int failures = 0;

    for (int tries = 0; tries < 50 && failures < 3; tries++) {
        cluster->port = running_port(cluster);
        if (cluster->port == 0) {
            if (run_server(cluster))
                return true;
            failures++;
        } else if (answers(cluster)) {
            return true;
        }
        (void)usleep(200000);
    }
    return err_set(err, ERR_REFUSED, "", "PostgreSQL did not start; see %s/postgres.log", cluster->dir);
}

static bool
make_database(struct cluster *cluster, struct err *err)
{
    const struct db_result *result;
    struct db_once *db;
    bool ok;

    set_conninfo(cluster, "postgres");
    if (!db_once_open(cluster->conninfo, NULL, &db, err))
        return false;
    set_conninfo(cluster, "reeve");
    ok = db_once_query(db, "select 1 from pg_database where datname = 'reeve'", 0, NULL, &result, err);
    if (ok && db_result_rows(result) == 0)
        ok = db_once_script(db, "create database reeve", err);
    db_once_close(db);
    return ok;
}

bool
cluster_start(struct cluster *cluster, const char *dir, struct err *err)
{
    *cluster = (struct cluster){0};
    choose_user(cluster);
    return find_bin(cluster, err) && make_dir(cluster, dir, err) && init(cluster, err) && start_server(cluster, err)
           && make_database(cluster, err);
}

void
cluster_stop(const struct cluster *cluster)
{
    char data[460];
    const char *args[] = {"pg_ctl", "-D", data, "-m", "fast", "-w", "stop", NULL};

    (void)snprintf(data, sizeof(data), "%s/data", cluster->dir);
    (void)run(cluster, "pg_ctl", args);
}

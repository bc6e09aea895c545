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
        return err_hint(err, "Install PostgreSQL 13 or later: apt-get install postgresql");
    }
    (void)snprintf(cluster->bin, sizeof(cluster->bin), "/usr/lib/postgresql/%d/bin", (int)best);
    return true;
}

static void
choose_user(struct cluster *cluster)
{
    const struct passwd *user = getpwuid(getuid());

    (void)snprintf(cluster->developer, sizeof(cluster->developer), "%s", user == NULL ? "" : user->pw_name);
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

/* Waits for a child, also after a signal. */
static bool
wait_for(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return true;
}

/* In a child: takes the rights of the server's user, the server's folder, and an empty environment. */
static void
become_server(const struct cluster *cluster)
{
    char zone[64] = "";

    (void)snprintf(zone, sizeof(zone), "%s", getenv("TZ") == NULL ? "" : getenv("TZ"));
    if (fchdir(cluster->server.fd) != 0)
        _exit(126);
    become(cluster);
    (void)umask(077);
    (void)clearenv();
    (void)setenv("PATH", "/usr/bin:/bin", 1);
    if (zone[0] != '\0')
        (void)setenv("TZ", zone, 1);
}

/* Executes a program of PostgreSQL and returns its exit code, or 127; its output goes to setup.log. */
static int
execute(const struct cluster *cluster, const char *program, const char *const *args)
{
    const char *words[24] = {NULL};
    char path[300];
    int status = 0;
    pid_t child;

    (void)snprintf(path, sizeof(path), "%s/%s", cluster->bin, program);
    child = fork();
    if (child == 0) {
        int fd;

        become_server(cluster);
        fd = open("setup.log", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0) {
            (void)dup2(fd, STDOUT_FILENO);
            (void)dup2(fd, STDERR_FILENO);
        }
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (fd >= 0)
            (void)dup2(fd, STDIN_FILENO);
        /* These programs look for each other beside argv[0]. */
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

/* Calls a function as the server's user. */
static bool
do_as_server(const struct cluster *cluster, bool (*act)(const struct cluster *cluster))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        become_server(cluster);
        _exit(act(cluster) ? 0 : 1);
    }
    return child > 0 && wait_for(child, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- folders ---------------------------------------------------------------------------- */

static bool
can_reach(const struct cluster *cluster)
{
    return access(cluster->server.path, R_OK | W_OK | X_OK) == 0;
}

/* The path of a socket has at most 107 bytes with its name.  Some characters have a meaning in the server's list of folders,
 * in connection strings and in a shell. */
static bool
choose_socket(struct cluster *cluster, struct err *err)
{
    const char *path = cluster->server.path;
    struct stat status;

    if (strlen(path) <= 80
        && strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+- ") == strlen(path)) {
        (void)snprintf(cluster->socket, sizeof(cluster->socket), "%.190s", path);
        return true;
    }
    (void)snprintf(cluster->socket, sizeof(cluster->socket), "/tmp/reeve-dev-%d", (int)cluster->uid);
    if (mkdir(cluster->socket, 0700) == 0 && getuid() == 0 && lchown(cluster->socket, cluster->uid, cluster->gid) != 0)
        return err_set(err, ERR_REFUSED, "", "could not change the owner of folder \"%s\": %s", cluster->socket, strerror(errno));
    /* Every user may make folders there; the folder of another user is not used. */
    if (lstat(cluster->socket, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == cluster->uid
        && (status.st_mode & 077) == 0)
        return true;
    (void)err_set(err, ERR_REFUSED, "", "folder \"%s\" is not private to user %d", cluster->socket, (int)cluster->uid);
    return err_hint(err, "Remove it, or name a folder with a shorter path: reeve dev DIR");
}

static bool
make_folders(struct cluster *cluster, const char *dir, struct err *err)
{
    char chosen[FOLDER_BYTES];

    cluster->is_chosen = dir == NULL;
    if (dir == NULL && !folder_choose(chosen, sizeof(chosen), err))
        return false;
    if (!folder_open(&cluster->dir, dir == NULL ? chosen : dir, cluster->gid, err)
        || !folder_enter(&cluster->dir, "server", cluster->uid, cluster->gid, &cluster->server, err))
        return false;
    if (!do_as_server(cluster, can_reach)) {
        (void)err_set(err, ERR_REFUSED, "", "user %d cannot reach folder \"%s\"", (int)cluster->uid, cluster->dir.path);
        return err_hint(err, "PostgreSQL does not run as root; let reeve choose a folder that it can reach: reeve dev");
    }
    return choose_socket(cluster, err);
}

/* --- the first start -------------------------------------------------------------------- */

/* Writes a new file, as the server's user. */
static bool
write_file(const char *name, const char *text)
{
    int fd;
    bool ok;

    (void)unlink(name);
    fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* Removes the files of an interrupted start. */
static bool
begin_init(const struct cluster *cluster)
{
    unsigned char bytes[16];
    char text[2 * sizeof(bytes) + 2];

    (void)cluster;
    folder_clear("new");
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    for (size_t i = 0; i < sizeof(bytes); i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    (void)snprintf(text + 2 * sizeof(bytes), 2, "\n");
    return write_file("password", text);
}

/* On the socket the developer is known by his user (peer); all others need a password. */
static bool
end_init(const struct cluster *cluster)
{
    char map[sizeof(cluster->developer) + 32];

    (void)snprintf(map, sizeof(map), "dev \"%s\" postgres\n", cluster->developer);
    return write_file("new/pg_ident.conf", map)
           && write_file("new/pg_hba.conf", "local all postgres peer map=dev\n"
                                            "local all all scram-sha-256\n"
                                            "host all all 127.0.0.1/32 scram-sha-256\n")
           && rename("new", "data") == 0;
}

static bool
init(struct cluster *cluster, struct err *err)
{
    const char *args[] = {"initdb", "-D", "new", "-U", "postgres", "-E", "UTF8", "--locale=C", "--auth-local=peer",
        "--auth-host=scram-sha-256", "--pwfile", "password", NULL};

    if (folder_has(&cluster->server, "data"))
        return true;
    cluster->is_new = true;
    if (!do_as_server(cluster, begin_init) || execute(cluster, "initdb", args) != 0 || !do_as_server(cluster, end_init))
        return err_set(err, ERR_REFUSED, "", "initdb failed; see %s/setup.log", cluster->server.path);
    return true;
}

/* --- the server ------------------------------------------------------------------------- */

/* A free port; 0 lets the kernel choose. */
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

/* The port of the server, from its pid file; 0: the server is not up. */
static int
port_of_server(const struct cluster *cluster)
{
    const char *args[] = {"pg_ctl", "-D", "data", "status", NULL};
    char line[128] = "";
    FILE *file = NULL;
    int64_t port = 0;
    int fd;

    if (execute(cluster, "pg_ctl", args) != 0)
        return 0;
    fd = openat(cluster->server.fd, "data/postmaster.pid", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0)
        file = fdopen(fd, "re");
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
try_to_start(struct cluster *cluster)
{
    char options[400];
    const char *args[] = {"pg_ctl", "-D", "data", "-l", "postgres.log", "-w", "-t", "60", "-o", options, "start", NULL};

    cluster->port = free_port(0);
    (void)snprintf(options, sizeof(options), "-k '%s' -p %d -c listen_addresses=127.0.0.1 -c max_connections=100",
        cluster->socket, cluster->port);
    return execute(cluster, "pg_ctl", args) == 0;
}

/* A server that was killed a moment ago may still seem to be up, or its children may keep a new one from starting.  Both end
 * soon, so the start is tried again. */
static bool
start_server(struct cluster *cluster, struct err *err)
{
    int failures = 0;

    for (int tries = 0; tries < 50 && failures < 3; tries++) {
        cluster->port = port_of_server(cluster);
        if (cluster->port == 0) {
            if (try_to_start(cluster))
                return true;
            failures++;
        } else if (answers(cluster)) {
            return true;
        }
        (void)usleep(200000);
    }
    return err_set(err, ERR_REFUSED, "", "PostgreSQL did not start; see %s/postgres.log", cluster->server.path);
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
    *cluster = (struct cluster){.dir.fd = -1, .server.fd = -1};
    choose_user(cluster);
    return find_bin(cluster, err) && make_folders(cluster, dir, err) && init(cluster, err) && start_server(cluster, err)
           && make_database(cluster, err);
}

void
cluster_stop(const struct cluster *cluster)
{
    const char *args[] = {"pg_ctl", "-D", "data", "-m", "fast", "-w", "stop", NULL};

    (void)execute(cluster, "pg_ctl", args);
}

static bool
clear_server(const struct cluster *cluster)
{
    (void)cluster;
    folder_clear(".");
    return true;
}

void
cluster_remove(const struct cluster *cluster)
{
    char base[FOLDER_BYTES];

    /* The server's user removes its own files, because it could have put links there. */
    (void)do_as_server(cluster, clear_server);
    if (rmdir(cluster->server.path) != 0)
        return;
    folder_clear(cluster->dir.path);
    if (!cluster->is_chosen)
        return;
    (void)snprintf(base, sizeof(base), "%s", cluster->dir.path);
    *strrchr(base, '/') = '\0';
    (void)rmdir(base); /* if it is empty now */
}

#include "cli/mail_catcher.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/terminal.h"

enum { LINE_BYTES = 4096, MAIL_BYTES_MAX = 32 * 1024 * 1024 };

/* One SMTP session. */
struct session {
    FILE *in;
    FILE *out;
    const char *dir;
    char recipient[256];
};

static void
answer(const struct session *session, const char *text)
{
    (void)fprintf(session->out, "%s\r\n", text);
    (void)fflush(session->out);
}

/* The address between angle brackets, without characters that a file name must not have. */
static void
take_address(const char *line, char *address, size_t size)
{
    const char *start = strchr(line, '<');
    size_t length = 0;

    for (const char *c = start == NULL ? "" : start + 1; *c != '\0' && *c != '>' && length + 1 < size; c++) {
        if (isalnum((unsigned char)*c) || strchr("@.+-_=", *c) != NULL)
            address[length++] = *c;
    }
    address[length] = '\0';
}

/* True: refuse this address, because its name asks for it and this is the first time. */
static bool
refuses(const struct session *session)
{
    char path[FOLDER_BYTES + 400];
    int fd;

    if (strncmp(session->recipient, "refuse-once", 11) != 0)
        return false;
    (void)snprintf(path, sizeof(path), "%s/.refused-%s", session->dir, session->recipient);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    (void)close(fd);
    return true;
}

/* Stores a message under the next free number.  It is written under another name first, so that no reader sees a part. */
static bool
keep(const struct session *session, const char *draft)
{
    for (int number = 1; number < 1000000; number++) {
        char path[FOLDER_BYTES + 100];

        (void)snprintf(path, sizeof(path), "%s/%d.eml", session->dir, number);
        if (link(draft, path) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

static void
take_mail(const struct session *session)
{
    char line[LINE_BYTES];
    char draft[FOLDER_BYTES + 100];
    FILE *file;
    size_t bytes = 0;
    bool is_kept = false;

    (void)snprintf(draft, sizeof(draft), "%s/.draft-%d", session->dir, (int)getpid());
    file = fopen(draft, "we");
    answer(session, "354 go on, end with a dot");
    while (fgets(line, sizeof(line), session->in) != NULL && strcmp(line, ".\r\n") != 0) {
        bytes += strlen(line);
        /* A dot at the start of a line was doubled by the sender. */
        if (file != NULL && bytes < MAIL_BYTES_MAX)
            (void)fputs(line[0] == '.' ? line + 1 : line, file);
    }
    if (file != NULL)
        is_kept = fclose(file) == 0 && keep(session, draft);
    (void)unlink(draft);
    answer(session, is_kept ? "250 kept" : "452 could not keep it");
}

/* False: the session is over. */
static bool
obey(struct session *session, const char *line)
{
    if (strncasecmp(line, "EHLO", 4) == 0 || strncasecmp(line, "HELO", 4) == 0) {
        answer(session, "250 this machine");
    } else if (strncasecmp(line, "MAIL FROM", 9) == 0) {
        answer(session, "250 fine");
    } else if (strncasecmp(line, "RCPT TO", 7) == 0) {
        take_address(line, session->recipient, sizeof(session->recipient));
        answer(session, refuses(session) ? "451 4.7.1 not now, try again later" : "250 fine");
    } else if (strncasecmp(line, "DATA", 4) == 0) {
        take_mail(session);
    } else if (strncasecmp(line, "QUIT", 4) == 0) {
        answer(session, "221 bye");
        return false;
    } else if (strncasecmp(line, "RSET", 4) == 0 || strncasecmp(line, "NOOP", 4) == 0) {
        answer(session, "250 fine");
    } else {
        answer(session, "502 not known here");
    }
    return true;
}

static void
talk(int fd, const char *dir)
{
    struct session session = {.in = fdopen(fd, "re"), .out = fdopen(dup(fd), "we"), .dir = dir};
    char line[LINE_BYTES];

    if (session.in == NULL || session.out == NULL)
        _exit(1);
    answer(&session, "220 mail of this machine is kept in a folder");
    while (fgets(line, sizeof(line), session.in) != NULL && obey(&session, line))
        continue;
    _exit(0);
}

static void
serve(int listener, const char *dir)
{
    (void)signal(SIGCHLD, SIG_IGN); /* Processes of sessions are not waited for. */
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGINT, SIG_IGN); /* Ctrl-C is for the parent, which then stops this process. */
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

        if (fd < 0)
            continue;
        if (fork() == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
            (void)close(listener);
            talk(fd, dir);
        }
        (void)close(fd);
    }
}

bool
mail_catcher_start(struct mail_catcher *catcher, const struct folder *folder, struct err *err)
{
    struct folder mail;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    pid_t parent = getpid();
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *catcher = (struct mail_catcher){0};
    if (!folder_enter(folder, "mail", getuid(), getgid(), &mail, err)) {
        (void)close(listener);
        return false;
    }
    (void)snprintf(catcher->dir, sizeof(catcher->dir), "%s", mail.path);
    folder_close(&mail);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 64) != 0
        || getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return err_set(err, ERR_REFUSED, "", "could not start the mail catcher: %s", strerror(errno));
    catcher->port = ntohs(address.sin_port);
    catcher->pid = fork();
    if (catcher->pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(0);
        serve(listener, catcher->dir);
    }
    (void)close(listener);
    return catcher->pid > 0 || err_set(err, ERR_REFUSED, "", "could not start the mail catcher: %s", strerror(errno));
}

/* Is it for this recipient?  Prints its headers if asked. */
static bool
is_for(const char *path, const char *recipient, bool is_shown)
{
    static const char *const shown[] = {"From:", "To:", "Subject:", "Message-ID:"};
    char line[LINE_BYTES];
    bool found = false;
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return false;
    while (fgets(line, sizeof(line), file) != NULL && line[0] != '\r' && line[0] != '\n') {
        found = found || (strncmp(line, "To:", 3) == 0 && strstr(line, recipient) != NULL);
        line[strcspn(line, "\r\n")] = '\0';
        for (size_t i = 0; i < LENGTH(shown) && is_shown; i++) {
            if (strncmp(line, shown[i], strlen(shown[i])) == 0)
                terminal_print(stdout, "    %s\n", line);
        }
    }
    (void)fclose(file);
    return found;
}

bool
mail_catcher_show(const struct mail_catcher *catcher, const char *recipient)
{
    DIR *folder = opendir(catcher->dir);
    const struct dirent *entry;
    char found[FOLDER_BYTES + 400] = "";
    int count = 0;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[FOLDER_BYTES + 400];

        (void)snprintf(path, sizeof(path), "%s/%s", catcher->dir, entry->d_name);
        if (entry->d_name[0] == '.' || !is_for(path, recipient, false))
            continue;
        count++;
        (void)snprintf(found, sizeof(found), "%s", path);
    }
    if (folder != NULL)
        (void)closedir(folder);
    if (count != 1)
        return false;
    (void)printf("\n  It arrived: %s\n\n", found);
    return is_for(found, recipient, true);
}

void
mail_catcher_stop(struct mail_catcher *catcher)
{
    if (catcher->pid <= 0)
        return;
    (void)kill(catcher->pid, SIGTERM);
    while (waitpid(catcher->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    catcher->pid = 0;
}

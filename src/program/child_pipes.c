/*
 * The pipes of a child: reading what it prints and what its launcher says, writing what it is told.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "program/program_private.h"

void
child_close_pipe(int *fd, struct watch **watch)
{
    if (watch != NULL) {
        watch_close(*watch);
        *watch = NULL;
    }
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* Makes a pipe; our end does not block. */
bool
child_make_pipe(int *ours, int *theirs, bool we_write)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *ours = ends[we_write ? 1 : 0];
    *theirs = ends[we_write ? 0 : 1];
    (void)fcntl(*ours, F_SETFL, O_NONBLOCK);
    return true;
}

/* Number of bytes that were read; 0: the pipe has ended; -1: there is nothing now. */
ssize_t
child_read_some(int fd, char *bytes)
{
    ssize_t length;

    do {
        length = read(fd, bytes, CHILD_READ_BYTES);
    } while (length < 0 && errno == EINTR);
    return length < 0 && errno != EAGAIN ? 0 : length;
}

int64_t
child_only_task(const struct child *child)
{
    return child->call_count == 1 ? LIST_OWNER(child->calls.next, struct carried, node)->id : 0;
}

void
child_read_log(struct child *child, int stream)
{
    char bytes[CHILD_READ_BYTES];

    for (int i = 0; i < CHILD_READS && child->logs[stream] >= 0; i++) {
        ssize_t length = child_read_some(child->logs[stream], bytes);

        if (length > 0)
            output_take(&child->output, stream, bytes, (size_t)length, child->number, child_only_task(child));
        if (length == 0)
            child_close_pipe(&child->logs[stream], &child->log_watches[stream]);
        if (length < CHILD_READ_BYTES)
            return;
    }
}

void
child_on_stdout(void *cookie, int events)
{
    (void)events;
    child_read_log(cookie, 0);
}

void
child_on_stderr(void *cookie, int events)
{
    (void)events;
    child_read_log(cookie, 1);
}

static bool
take_status(void *cookie, const char *text, size_t length)
{
    struct child *child = cookie;

    (void)length;
    if (text != NULL && text[0] == 'P')
        child->pid = (int)strtol(text + 1, NULL, 10);
    if (text != NULL && text[0] == 'X') {
        char *rest;

        child->code = (int)strtol(text + 1, &rest, 10);
        child->number_of_signal = (int)strtol(rest, NULL, 10);
        child->has_status = true;
    }
    return true;
}

void
child_read_status(struct child *child)
{
    char bytes[CHILD_READ_BYTES];

    while (child->status >= 0) {
        ssize_t length = child_read_some(child->status, bytes);

        if (length > 0)
            lines_take(&child->statuses, bytes, (size_t)length, take_status, child);
        if (length == 0)
            child_close_pipe(&child->status, &child->status_watch);
        if (length <= 0)
            return;
    }
}

void
child_on_status(void *cookie, int events)
{
    (void)events;
    child_read_status(cookie);
}

/* Writes as much as the pipe takes.  False: the child reads no more. */
bool
child_flush(struct child *child)
{
    while (child->in >= 0 && child->sent < child->to_send.length) {
        ssize_t length = write(child->in, child->to_send.text + child->sent, child->to_send.length - child->sent);

        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && errno == EAGAIN) {
            watch_want(child->in_watch, WATCH_WRITE);
            return true;
        }
        if (length < 0) {
            child_close_pipe(&child->in, &child->in_watch);
            return false;
        }
        child->sent += (size_t)length;
        child->taken += length;
    }
    buf_clear(&child->to_send);
    child->sent = 0;
    if (child->in >= 0)
        watch_want(child->in_watch, 0);
    return child->in >= 0;
}

/* A child that has nothing more to do sees the end of its input. */
void
child_close_input(struct child *child)
{
    bool is_done = child->program->options->is_once || (child->state == CHILD_LEAVING && child->call_count == 0);

    if (is_done && child->to_send.length == 0)
        child_close_pipe(&child->in, &child->in_watch);
}

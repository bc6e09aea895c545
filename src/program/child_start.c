/*
 * The start of a child: its pipes, its environment, its launcher.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "base/outside.h"
#include "program/launcher.h"
#include "program/program_private.h"
#include "program/protocol.h"

static void
close_all(int *fds, int count)
{
    for (int i = 0; i < count; i++) {
        if (fds[i] >= 0)
            (void)close(fds[i]);
    }
}

/* Makes the pipes; theirs[n] becomes descriptor n of the child. */
static bool
make_pipes(struct child *child, int *theirs)
{
    const struct program_options *options = child->program->options;
    bool is_plain = !options->is_stdio && !options->is_once;

    return child_make_pipe(&child->in, &theirs[is_plain ? 3 : 0], true)
           && child_make_pipe(&child->out, &theirs[is_plain ? 4 : 1], false)
           && (!is_plain || child_make_pipe(&child->logs[0], &theirs[1], false))
           && child_make_pipe(&child->logs[1], &theirs[2], false)
           && child_make_pipe(&child->control, &theirs[LAUNCHER_CONTROL], true)
           && child_make_pipe(&child->status, &theirs[LAUNCHER_STATUS], false);
}

/* The environment of a child, with what it must know about the protocol or about its task.  The caller frees list and texts. */
static char **
make_environment(const struct program_options *options, const struct carrier_task *task)
{
    size_t count = 0;
    char **list;

    while (options->environment[count] != NULL)
        count++;
    list = must_alloc((count + 8) * sizeof(*list));
    for (size_t i = 0; i < count; i++)
        list[i] = must_strdup(options->environment[i]);
    if (task == NULL) {
        list[count++] = must_format("REEVE_PROTOCOL=%d", PROTOCOL_VERSION);
        list[count++] = must_format("REEVE_READ_FD=%d", options->is_stdio ? 0 : 3);
        list[count++] = must_format("REEVE_WRITE_FD=%d", options->is_stdio ? 1 : 4);
    } else {
        list[count++] = must_format("REEVE_TASK_ID=%" PRId64, task->id);
        list[count++] = must_format("REEVE_TASK_TYPE=%s", task->type);
        list[count++] = must_format("REEVE_TASK_ATTEMPT=%d", task->attempt);
        list[count++] = must_format("REEVE_TASK_KEY=%s", task->key);
        if (task->timeout_ms > 0)
            list[count++] = must_format("REEVE_TASK_DEADLINE=%.3f", (double)(outside_wall_ms() + task->timeout_ms) / 1000);
        if (task->traceparent != NULL)
            list[count++] = must_format("TRACEPARENT=%s", task->traceparent);
    }
    list[count] = NULL;
    return list;
}

static struct spawn *
spawn_launcher(struct child *child, int *theirs, const struct carrier_task *task, struct err *err)
{
    const struct program_options *options = child->program->options;
    static char empty[] = "";
    static char name[] = "reeve";
    static char flag[] = LAUNCHER_FLAG;
    struct spawn_options spawn = {.file = "/proc/self/exe"};
    struct spawn *started;
    size_t count = 0;

    while (options->command[count] != NULL)
        count++;
    spawn.arguments = must_alloc((count + LAUNCHER_WORDS + 1) * sizeof(*spawn.arguments));
    spawn.arguments[0] = name;
    spawn.arguments[1] = flag;
    spawn.arguments[2] = must_strdup(options->mask == NULL ? empty : options->mask);
    spawn.arguments[3] = must_strdup(options->limits == NULL ? empty : options->limits);
    spawn.arguments[4] = must_strdup(options->user == NULL ? empty : options->user);
    spawn.arguments[5] = must_strdup(options->directory == NULL ? empty : options->directory);
    for (size_t i = 0; i < count; i++)
        spawn.arguments[LAUNCHER_WORDS + i] = options->command[i];
    spawn.environment = make_environment(options, task);
    memcpy(spawn.descriptors, theirs, sizeof(spawn.descriptors));
    started = spawn_new(child->program->loop, &spawn, child_on_ended, child, err);
    for (int i = 2; i < LAUNCHER_WORDS; i++)
        free(spawn.arguments[i]);
    free(spawn.arguments);
    for (char **text = spawn.environment; *text != NULL; text++)
        free(*text);
    free(spawn.environment);
    return started;
}

struct child *
child_start(struct program *program, const struct carrier_task *task)
{
    struct child *child = must_alloc(sizeof(*child));
    int theirs[SPAWN_DESCRIPTORS] = {-1, -1, -1, -1, -1, -1, -1};
    struct err err;

    child->program = program;
    child->number = ++program->next_number;
    child->in = child->out = child->logs[0] = child->logs[1] = child->control = child->status = -1;
    child->at_once = 1;
    list_init(&child->node);
    list_init(&child->calls);
    lines_init(&child->answers, BOUND_CHILD_LINE_BYTES);
    lines_init(&child->statuses, 64);
    buf_init(&child->result, BOUND_CHILD_LINE_BYTES);
    buf_init(&child->to_send, BOUND_CHILD_ROOM_BYTES);
    output_init(&child->output);
    if (!make_pipes(child, theirs))
        (void)err_set(&err, ERR_RETRY, "", "could not make pipes: %s", strerror(errno));
    else
        child->spawn = spawn_launcher(child, theirs, task, &err);
    close_all(theirs, SPAWN_DESCRIPTORS);
    if (child->spawn == NULL) {
        log_event(LOG_ERROR, "child could not be started", "error", err.message, NULL);
        child_free(child);
        return NULL;
    }
    child->timer = timer_new(program->loop, child_on_timer, child);
    child->in_watch = watch_new(program->loop, child->in, child_on_writable, child);
    child->out_watch = watch_new(program->loop, child->out, child_on_answers, child);
    child->status_watch = watch_new(program->loop, child->status, child_on_status, child);
    watch_want(child->out_watch, WATCH_READ);
    watch_want(child->status_watch, WATCH_READ);
    for (int i = 0; i < 2; i++) {
        if (child->logs[i] < 0)
            continue;
        child->log_watches[i] = watch_new(program->loop, child->logs[i], i == 0 ? child_on_stdout : child_on_stderr, child);
        watch_want(child->log_watches[i], WATCH_READ);
    }
    child->state = task == NULL ? CHILD_STARTING : CHILD_READY;
    child->due_ms = task == NULL ? loop_now_ms(program->loop) + program->options->hello_ms : 0;
    child_arm(child);
    return child;
}

int64_t
child_memory(const struct child *child)
{
    char path[64];
    long long size = 0, resident = 0;
    FILE *file;

    if (child->pid <= 0)
        return 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/statm", child->pid);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lld %lld", &size, &resident) != 2)
        resident = 0;
    (void)fclose(file);
    return (int64_t)resident * sysconf(_SC_PAGESIZE);
}

void
child_free(struct child *child)
{
    if (child == NULL)
        return;
    list_remove(&child->node);
    if (child->spawn != NULL && child->state != CHILD_ENDED)
        spawn_kill_group(child->spawn, SIGKILL);
    spawn_close(child->spawn);
    timer_close(child->timer);
    child_close_pipe(&child->in, &child->in_watch);
    child_close_pipe(&child->out, &child->out_watch);
    child_close_pipe(&child->logs[0], &child->log_watches[0]);
    child_close_pipe(&child->logs[1], &child->log_watches[1]);
    child_close_pipe(&child->status, &child->status_watch);
    child_close_pipe(&child->control, NULL);
    lines_release(&child->answers);
    lines_release(&child->statuses);
    buf_release(&child->result);
    buf_release(&child->to_send);
    output_release(&child->output);
    while (!list_is_empty(&child->calls)) {
        struct carried *carried = LIST_OWNER(child->calls.next, struct carried, node);

        list_remove(&carried->node);
        free(carried);
    }
    free(child->reason);
    free(child->types);
    free(child);
}

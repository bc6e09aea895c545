#include "program/program.h"

#include <signal.h>

#include "program/program_private.h"
#include "program/protocol.h"

/* --- children ------------------------------------------------------------------------------ */

struct counts {
    int fresh;    /* children that are neither old nor leaving */
    int old;      /* ready children that are to be replaced */
    int starting; /* of the fresh ones: without their hello */
};

static struct counts
count_children(const struct program *program)
{
    struct counts counts = {0};

    for (struct list *node = program->children.next; node != &program->children; node = node->next) {
        const struct child *child = LIST_OWNER(node, struct child, node);

        if (child->state != CHILD_STARTING && child->state != CHILD_READY)
            continue;
        counts.fresh += !child->is_old;
        counts.old += child->is_old;
        counts.starting += child->state == CHILD_STARTING && !child->is_old;
    }
    return counts;
}

/* The next child waits, so that a program that cannot run costs little. */
static void
wait_longer(struct program *program)
{
    int64_t wait_ms = BOUND_CHILD_BACKOFF_MS;

    for (int i = 0; i < program->failures && wait_ms < BOUND_CHILD_BACKOFF_MOST_MS; i++)
        wait_ms *= 2;
    if (wait_ms > BOUND_CHILD_BACKOFF_MOST_MS)
        wait_ms = BOUND_CHILD_BACKOFF_MOST_MS;
    program->failures++;
    program->start_at_ms = loop_now_ms(program->loop) + wait_ms;
    log_event(LOG_WARN, "program ended without work, it is started again later", "wait_ms", LOG_I64(wait_ms), "failures",
        LOG_I64(program->failures), NULL);
}

/* Starts the children that are missing.  To replace old ones, there is one child more for a while. */
static void
start_missing(struct program *program)
{
    while (!program->is_stopping && !program->options->is_once) {
        struct counts counts = count_children(program);
        bool is_missing = counts.fresh + counts.old < program->options->processes || (counts.old > 0 && counts.starting == 0);
        int64_t wait_ms = program->start_at_ms - loop_now_ms(program->loop);
        struct child *child;

        if (!is_missing)
            return;
        if (wait_ms > 0) {
            timer_start(program->timer, wait_ms);
            return;
        }
        child = child_start(program, NULL);
        if (child == NULL)
            wait_longer(program);
        else
            list_append(&program->children, &child->node);
    }
}

/* An old child leaves for each new one that is ready. */
static void
retire_old(struct program *program)
{
    struct counts counts = count_children(program);

    for (struct list *node = program->children.next, *next; node != &program->children; node = next) {
        struct child *child = LIST_OWNER(node, struct child, node);

        next = node->next;
        if (!child->is_old || child->state != CHILD_READY || counts.fresh - counts.starting < 1
            || counts.fresh - counts.starting + counts.old <= program->options->processes)
            continue;
        counts.old--;
        child_leave(child, NULL);
    }
}

static void
on_start_timer(void *cookie)
{
    start_missing(cookie);
}

/* Adds the types of a child that are to be served and not in the list yet. */
static void
add_types(struct buf *list, const char *types, const char *wanted)
{
    for (const char *at = types + 1; *at == '"';) {
        size_t length = strcspn(at + 1, "\"") + 2;
        char name[80];

        (void)snprintf(name, sizeof(name), "%.*s", (int)length, at);
        if (strstr(list->text, name) == NULL && (wanted == NULL || strstr(wanted, name) != NULL))
            buf_printf(list, "%s%s", list->length == 1 ? "" : ",", name);
        at += length + (at[length] == ',');
    }
}

/* The types of all ready children.  While there is none, the last known types stay. */
static void
learn_types(struct program *program)
{
    struct buf list;
    bool is_known = false;

    if (program->options->is_once)
        return;
    buf_init(&list, 16 * BOUND_CHILD_TYPES * 66);
    buf_puts(&list, "{");
    for (struct list *node = program->children.next; node != &program->children; node = node->next) {
        const struct child *child = LIST_OWNER(node, struct child, node);

        if (child->state == CHILD_READY) {
            is_known = true;
            add_types(&list, child->types, program->options->types);
        }
    }
    buf_puts(&list, "}");
    if (is_known) {
        free(program->types);
        program->types = must_strdup(list.text);
    }
    buf_release(&list);
}

void
program_on_change(struct program *program)
{
    if (program->is_changing)
        return; /* the caller further up goes on */
    program->is_changing = true;
    retire_old(program);
    start_missing(program);
    program->is_changing = false;
    learn_types(program);
    if (program->user.on_change != NULL)
        program->user.on_change(program->user.cookie);
}

static bool
is_stopped(const struct program *program)
{
    return program->is_stopping && list_is_empty(&program->children);
}

void
program_on_ended(struct child *child)
{
    struct program *program = child->program;
    bool was_wanted = child->types == NULL || child->was_bad || (child->signal == 0 && !child->was_told);

    if (child->has_worked)
        program->failures = 0;
    if (!program->options->is_once && !child->has_worked && was_wanted && !program->is_stopping)
        wait_longer(program);
    child_free(child);
    program_on_change(program);
    if (is_stopped(program))
        loop_stop(program->loop);
}

static void
on_sample(void *cookie)
{
    struct program *program = cookie;
    int64_t most = program->options->memory_bytes;

    timer_start(program->sample_timer, BOUND_CHILD_SAMPLE_MS);
    for (struct list *node = program->children.next, *next; node != &program->children; node = next) {
        struct child *child = LIST_OWNER(node, struct child, node);
        int64_t memory = child_memory(child);

        next = node->next;
        if (memory > 2 * most)
            child_kill(child, SIGKILL, "it has more than twice the memory that it may have");
        else if (memory > most && child->state == CHILD_READY)
            child_leave(child, "it has more memory than it may have");
    }
}

/* --- calls ----------------------------------------------------------------------------------- */

void
program_answer(struct carried *carried, const struct carrier_answer *answer)
{
    struct program *program = carried->program;
    void *call = carried->call;

    free(carried);
    if (call != NULL) {
        program->user.on_answer(call, answer);
        return;
    }
    free(answer->result);
    free(answer->error);
}

static void
on_unsent_timer(void *cookie)
{
    struct program *program = cookie;

    while (!list_is_empty(&program->unsent)) {
        struct carried *carried = LIST_OWNER(program->unsent.next, struct carried, node);
        struct carrier_answer answer = {
            .outcome = "unsent", .error = must_strdup("not sent: the program could not take the task"), .error_class = ""};

        list_remove(&carried->node);
        program_answer(carried, &answer);
    }
}

void
program_unsent(struct carried *carried)
{
    struct program *program = carried->program;

    carried->child = NULL;
    list_append(&program->unsent, &carried->node);
    timer_start(program->unsent_timer, 0);
}

static struct child *
find_place(const struct program *program, const char *type)
{
    struct child *best = NULL;

    for (struct list *node = program->children.next; node != &program->children; node = node->next) {
        struct child *child = LIST_OWNER(node, struct child, node);

        if (child_has_place(child, type) && (best == NULL || child->call_count < best->call_count))
            best = child;
    }
    return best;
}

static struct carried *
send_task(void *self, const struct carrier_task *task, void *call)
{
    struct program *program = self;
    struct carried *carried = must_alloc(sizeof(*carried));
    struct child *child;

    *carried = (struct carried){.program = program, .call = call, .id = task->id, .timeout_ms = task->timeout_ms};
    list_init(&carried->node);
    if (!program->user.may_send(call)) {
        child = NULL;
    } else if (program->options->is_once) {
        child = child_start(program, task);
        if (child != NULL)
            list_append(&program->children, &child->node);
    } else {
        child = find_place(program, task->type);
    }
    if (child == NULL)
        program_unsent(carried);
    else
        child_send(child, carried, task);
    return carried;
}

static void
cancel_call(struct carried *carried, bool is_lost)
{
    if (carried->child != NULL)
        child_cancel(carried, is_lost ? CARRIED_LOST : CARRIED_CANCELLED);
}

static void
forget_call(struct carried *carried)
{
    carried->call = NULL;
    if (carried->child != NULL)
        child_cancel(carried, CARRIED_LOST);
}

/* --- the carrier ----------------------------------------------------------------------------- */

static void
begin(void *self, struct loop *loop, const struct carrier_user *user)
{
    struct program *program = self;

    program->loop = loop;
    program->user = *user;
    program->timer = timer_new(loop, on_start_timer, program);
    program->unsent_timer = timer_new(loop, on_unsent_timer, program);
    program->sample_timer = timer_new(loop, on_sample, program);
    if (program->options->memory_bytes > 0)
        timer_start(program->sample_timer, BOUND_CHILD_SAMPLE_MS);
    start_missing(program);
}

static const char *
types(const void *self)
{
    const struct program *program = self;

    return program->options->is_once ? program->options->types : program->types;
}

static int
places(const void *self)
{
    const struct program *program = self;
    int count = 0;

    if (program->options->is_once)
        return program->options->processes;
    for (struct list *node = program->children.next; node != &program->children; node = node->next) {
        const struct child *child = LIST_OWNER(node, struct child, node);

        /* A leaving child keeps the places of its tasks, beside those of its successor. */
        if (child->state == CHILD_READY)
            count += child->at_once;
        else if (child->state == CHILD_LEAVING)
            count += child->call_count;
    }
    return count;
}

static int
count_all(const struct program *program)
{
    int count = 0;

    for (struct list *node = program->children.next; node != &program->children; node = node->next)
        count++;
    return count;
}

static void
figures(const void *self, struct carrier_figures *ret_figures)
{
    const struct program *program = self;

    *ret_figures = (struct carrier_figures){.ended = program->ended, .failed = program->failed};
    for (struct list *node = program->children.next; node != &program->children; node = node->next) {
        const struct child *child = LIST_OWNER(node, struct child, node);

        ret_figures->starting += child->state == CHILD_STARTING;
        ret_figures->ready += child->state == CHILD_READY;
        ret_figures->leaving += child->state == CHILD_LEAVING;
    }
}

static enum carrier_room
room(const void *self, const char *type)
{
    const struct program *program = self;

    if (program->options->is_once)
        return count_all(program) < program->options->processes ? CARRIER_FREE : CARRIER_BUSY;
    if (find_place(program, type) != NULL)
        return CARRIER_FREE;
    for (struct list *node = program->children.next; node != &program->children; node = node->next) {
        const struct child *child = LIST_OWNER(node, struct child, node);

        if (child->state == CHILD_READY && child_does(child, type))
            return CARRIER_BUSY;
    }
    return CARRIER_UNABLE;
}

static void
replace(void *self)
{
    struct program *program = self;

    for (struct list *node = program->children.next; node != &program->children; node = node->next)
        LIST_OWNER(node, struct child, node)->is_old = true;
    program->failures = 0;
    program->start_at_ms = 0;
    program_on_change(program);
}

static bool
stop(void *self)
{
    struct program *program = self;

    program->is_stopping = true;
    program->user.on_change = NULL;
    for (struct list *node = program->children.next, *next; node != &program->children; node = next) {
        struct child *child = LIST_OWNER(node, struct child, node);

        next = node->next;
        if (child->state == CHILD_STARTING)
            child_kill(child, SIGTERM, NULL);
        else
            child_leave(child, NULL);
    }
    return is_stopped(program);
}

static void
end(void *self)
{
    struct program *program = self;

    program->is_stopping = true;
    while (!list_is_empty(&program->children))
        child_free(LIST_OWNER(program->children.next, struct child, node));
    while (!list_is_empty(&program->unsent)) {
        struct carried *carried = LIST_OWNER(program->unsent.next, struct carried, node);

        list_remove(&carried->node);
        free(carried);
    }
    timer_close(program->timer);
    timer_close(program->unsent_timer);
    timer_close(program->sample_timer);
    program->timer = program->unsent_timer = program->sample_timer = NULL;
}

struct program *
program_new(const struct program_options *options)
{
    struct program *program = must_alloc(sizeof(*program));

    program->options = options;
    list_init(&program->children);
    list_init(&program->unsent);
    program->carrier = (struct carrier){
        .self = program,
        .begin = begin,
        .types = types,
        .places = places,
        .room = room,
        .send = send_task,
        .cancel = cancel_call,
        .forget = forget_call,
        .replace = replace,
        .stop = stop,
        .end = end,
        .figures = figures,
    };
    return program;
}

const struct carrier *
program_carrier(const struct program *program)
{
    return &program->carrier;
}

void
program_free(struct program *program)
{
    if (program == NULL)
        return;
    free(program->types);
    free(program);
}

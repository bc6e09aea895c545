/*
 * reeve top: a screen that shows what the database does, and keys that act on it.  Without a terminal: top_text.c.
 *
 * The loop reads keys, timers and signals, and never waits for the database: each question and each order runs in a thread, one
 * at a time, and its answer comes back to the loop.  While one is under way, another order waits for it.  A connection that was
 * lost is made again by the next question; until then the last figures stay on the screen, with their age.
 */
#include <locale.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/exit.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/top_feed.h"
#include "cli/top_text.h"
#include "loop/loop.h"
#include "top/screen.h"

enum { PAGE = 10 }; /* rows */

/* What the thread is to do. */
enum errand { ERRAND_NONE, ERRAND_ASK, ERRAND_LOOK, ERRAND_ACT };

struct job {
    enum errand errand;
    enum top_act act;
    char operand[128]; /* name of a queue, or id of a task */
};

struct top {
    struct loop *loop;
    struct timer *timer; /* time of the next question */
    struct watch *keys;
    const char *conninfo;
    int64_t interval_ms;
    struct top_view view;
    struct top_figures figures;
    int64_t asked_ms; /* time of the last figures */
    struct job asks;  /* order that waits for y or n */
    struct job next;  /* order that waits for the thread */

    /* Of the thread, while is_busy. */
    bool is_busy;
    struct job job;
    struct db_once *db; /* NULL: there is no connection */
    bool is_done;       /* false: err says why not */
    struct err err;
    struct top_figures fresh;
    struct top_table lines;
    char answer[160];
};

static void give(struct top *top, const struct job *job);

/* --- the screen ------------------------------------------------------------------------- */

static void
draw(struct top *top)
{
    int width;
    int height;

    top->view.age_ms = loop_now_ms(top->loop) - top->asked_ms;
    screen_size(&width, &height);
    top_draw(&top->view, &top->figures, width, height, screen_put, NULL);
    screen_flush();
}

/* --- the thread --------------------------------------------------------------------------- */

static bool
run_job(struct top *top)
{
    if (top->db == NULL) {
        if (!db_once_open(top->conninfo, NULL, &top->db, &top->err))
            return false;
        if (!top_begin(top->db, &top->err))
            return false;
    }
    switch (top->job.errand) {
    case ERRAND_NONE:
        return true;
    case ERRAND_ASK:
        return top_ask(top->db, &top->fresh, &top->err);
    case ERRAND_LOOK:
        return top_look(top->db, top->job.operand, &top->lines, &top->err);
    case ERRAND_ACT:
        return top_do(top->db, top->job.act, top->job.operand, top->answer, sizeof(top->answer), &top->err);
    }
    return false;
}

static void
on_work(void *cookie)
{
    struct top *top = cookie;

    top->err = (struct err){0};
    top->is_done = run_job(top);
    /* Without a connection, the next job makes a new one. */
    if (!top->is_done && (top->err.kind == ERR_RETRY || strcmp(top->err.code, "08006") == 0)) {
        db_once_close(top->db);
        top->db = NULL;
    }
}

static void
say(struct top *top, const char *text)
{
    (void)snprintf(top->view.message, sizeof(top->view.message), "%s", text);
}

static void
take_answer(struct top *top)
{
    switch (top->job.errand) {
    case ERRAND_NONE:
        break;
    case ERRAND_ASK:
        top_figures_release(&top->figures);
        top->figures = top->fresh;
        top->asked_ms = loop_now_ms(top->loop);
        break;
    case ERRAND_LOOK:
        top_table_release(&top->view.detail);
        top->view.detail = top->lines;
        top->view.detail_first = 0;
        if (top->lines.rows == 0)
            say(top, "there is no such task any more");
        break;
    case ERRAND_ACT:
        say(top, top->answer);
        break;
    }
}

static void
on_worked(void *cookie)
{
    struct top *top = cookie;
    struct job next = top->next;
    int64_t rest_ms = top->interval_ms;

    top->is_busy = false;
    if (top->is_done) {
        take_answer(top);
        top->view.problem[0] = '\0';
    } else if (top->db == NULL || top->job.errand == ERRAND_ASK) {
        (void)snprintf(top->view.problem, sizeof(top->view.problem), "%.159s", top->err.message);
    } else {
        (void)snprintf(top->view.message, sizeof(top->view.message), "%.79s  %.77s", top->err.message, top->err.hint);
    }
    draw(top);
    top->next.errand = ERRAND_NONE;
    if (next.errand != ERRAND_NONE) {
        give(top, &next);
        return;
    }
    /* What was ordered is seen at once.  Slow questions come less often, so that they take at most a twentieth of the time. */
    if (top->job.errand == ERRAND_ACT)
        rest_ms = 0;
    else if (top->figures.took_ms * BOUND_REFRESH_FACTOR > rest_ms)
        rest_ms = top->figures.took_ms * BOUND_REFRESH_FACTOR;
    timer_start(top->timer, rest_ms);
}

static void
give(struct top *top, const struct job *job)
{
    if (top->is_busy) {
        if (job->errand != ERRAND_ASK)
            top->next = *job;
        return;
    }
    timer_stop(top->timer);
    top->is_busy = true;
    top->job = *job;
    loop_work(top->loop, on_work, on_worked, top);
}

static void
on_timer(void *cookie)
{
    struct job ask = {.errand = ERRAND_ASK};

    give(cookie, &ask);
}

/* --- keys ----------------------------------------------------------------------------------- */

/* The task that is looked at or selected; "": none. */
static const char *
chosen_task(const struct top *top)
{
    const struct top_view *view = &top->view;

    if (view->detail.rows > 0)
        return top_cell(&view->detail, 0, 1);
    if (view->focus != TOP_RUNNING && view->focus != TOP_FAILURES)
        return "";
    return top_cell(&top->figures.parts[view->focus], view->selected[view->focus], 0);
}

/* Asks before it acts.  The order keeps the name or id of this moment, whatever the next figures show. */
static void
order(struct top *top, enum top_act act, const char *operand, const char *question)
{
    struct buf shown;

    if (operand[0] == '\0') {
        say(top,
            act == ACT_RETRY || act == ACT_CANCEL ? "select a task first: Tab goes to the next part" : "select a queue first");
        return;
    }
    if (!top->figures.may_act) {
        say(top, "your login may only look: it needs the role queues_operator");
        return;
    }
    top->asks = (struct job){.errand = ERRAND_ACT, .act = act};
    (void)snprintf(top->asks.operand, sizeof(top->asks.operand), "%s", operand);
    buf_init(&shown, sizeof(top->view.question) / 2);
    (void)utf8_clean_line(&shown, operand, strlen(operand), shown.ceiling - 1);
    (void)snprintf(top->view.question, sizeof(top->view.question), "%s %s? y/n", question, shown.text);
    buf_release(&shown);
}

static void
pause_or_resume(struct top *top)
{
    const struct top_table *queues = &top->figures.parts[TOP_QUEUES];
    int row = top->view.selected[TOP_QUEUES];
    bool is_paused = strcmp(top_cell(queues, row, 6), "t") == 0;
    const char *queue = top->view.focus == TOP_QUEUES && top->view.detail.rows == 0 ? top_cell(queues, row, 0) : "";

    order(top, is_paused ? ACT_RESUME : ACT_PAUSE, queue, is_paused ? "resume queue" : "pause queue");
}

static void
look(struct top *top)
{
    struct job job = {.errand = ERRAND_LOOK};

    (void)snprintf(job.operand, sizeof(job.operand), "%s", chosen_task(top));
    if (job.operand[0] == '\0')
        say(top, "select a task first: Tab goes to the next part");
    else
        give(top, &job);
}

/* False: the person leaves. */
static bool
go_back(struct top *top)
{
    bool is_inside = top->view.is_help || top->view.detail.rows > 0;

    top->view.is_help = false;
    top_table_release(&top->view.detail);
    return is_inside;
}

static void
answer_question(struct top *top, int key)
{
    if (key == 'y' || key == 'Y')
        give(top, &top->asks);
    else
        say(top, "nothing was done");
    top->view.question[0] = '\0';
}

static void
on_key(struct top *top, int key)
{
    struct job ask = {.errand = ERRAND_ASK};

    if (top->view.question[0] != '\0') {
        answer_question(top, key);
        return;
    }
    top->view.message[0] = '\0';
    switch (key) {
    case SCREEN_UP:
        top_move(&top->view, &top->figures, -1);
        break;
    case SCREEN_DOWN:
        top_move(&top->view, &top->figures, 1);
        break;
    case SCREEN_PAGE_UP:
        top_move(&top->view, &top->figures, -PAGE);
        break;
    case SCREEN_PAGE_DOWN:
        top_move(&top->view, &top->figures, PAGE);
        break;
    case SCREEN_TAB:
        top->view.focus = (enum top_part)((top->view.focus + 1) % TOP_PARTS);
        break;
    case SCREEN_BACK_TAB:
        top->view.focus = (enum top_part)((top->view.focus + TOP_PARTS - 1) % TOP_PARTS);
        break;
    case SCREEN_ENTER:
        look(top);
        break;
    case SCREEN_ESCAPE:
    case 'q':
        if (!go_back(top))
            loop_stop(top->loop);
        break;
    case 'p':
        pause_or_resume(top);
        break;
    case 'r':
        order(top, ACT_RETRY, chosen_task(top), "run again task");
        break;
    case 'c':
        order(top, ACT_CANCEL, chosen_task(top), "cancel task");
        break;
    case ' ':
        give(top, &ask);
        break;
    case '?':
    case 'h':
        top->view.is_help = !top->view.is_help;
        break;
    default:
        break;
    }
}

static void
on_keys(void *cookie, int events)
{
    struct top *top = cookie;
    int unread = 0;
    int key;

    (void)events;
    /* The terminal is gone: it is readable, and there is nothing to read. */
    if (ioctl(STDIN_FILENO, FIONREAD, &unread) != 0 || unread == 0)
        loop_stop(top->loop);
    while ((key = screen_key()) != SCREEN_NONE)
        on_key(top, key);
    draw(top);
}

static void
on_signal(void *cookie, int number)
{
    struct top *top = cookie;

    if (number != SIGWINCH) {
        loop_stop(top->loop);
        return;
    }
    screen_resize();
    draw(top);
}

/* --- the command ------------------------------------------------------------------------------ */

static int
show_screen(struct top *top)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH};

    top->loop = loop_new();
    for (size_t i = 0; i < LENGTH(signals); i++)
        loop_on_signal(top->loop, signals[i], on_signal, top);
    top->timer = timer_new(top->loop, on_timer, top);
    top->keys = watch_new(top->loop, STDIN_FILENO, on_keys, top);
    watch_want(top->keys, WATCH_READ);
    top->asked_ms = loop_now_ms(top->loop);
    timer_start(top->timer, top->interval_ms);
    screen_resize();
    draw(top);
    loop_run(top->loop, NULL, NULL);
    screen_close();
    watch_close(top->keys);
    timer_close(top->timer);
    if (top->is_busy)
        _exit(EXIT_OK); /* The thread still waits for the database; the server ends its statement. */
    loop_free(top->loop);
    return EXIT_OK;
}

int
cmd_top(const struct command *command, const struct config *config)
{
    struct top top = {.conninfo = config_text(config, CONFIG_DATABASE_URL), .interval_ms = BOUND_TOP_MS};
    bool is_repeated = config_text(config, CONFIG_INTERVAL) != NULL;
    int code = EXIT_OK;

    (void)command;
    (void)setlocale(LC_CTYPE, "");
    if (is_repeated)
        top.interval_ms = config_ms(config, CONFIG_INTERVAL);
    if (top.interval_ms < BOUND_TOP_MIN_MS)
        top.interval_ms = BOUND_TOP_MIN_MS;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return top_print(config, is_repeated ? top.interval_ms : 0);
    if (!command_connect(config, &top.db, &code))
        return code;
    /* A first answer that fails is an error of the command, as everywhere. */
    if (!top_begin(top.db, &top.err) || !top_ask(top.db, &top.figures, &top.err))
        code = command_fail(&top.err);
    else if (screen_open(command_has_colour(config)))
        code = show_screen(&top);
    else
        code = top_print(config, is_repeated ? top.interval_ms : 0);
    top_table_release(&top.view.detail);
    top_figures_release(&top.figures);
    db_once_close(top.db);
    return code;
}

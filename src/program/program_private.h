/*
 * The parts of a program:
 *
 *   program.c   the children that should exist, and the place for each call
 *   child.c        one child: its calls and its lines
 *   child_times.c  what is due: deadlines, pings, signals
 *   child_start.c  its pipes, environment and launcher
 *   child_end.c    what its end means for its calls
 *   child_pipes.c  reading and writing
 *   output.c    what a child prints: log lines, and its last words
 *   launcher.c  the process between this one and a child
 *   protocol.c  lines as messages
 *   lines.c     bytes as lines
 */
#ifndef PROGRAM_PROGRAM_PRIVATE_H
#define PROGRAM_PROGRAM_PRIVATE_H

#include <sys/types.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/list.h"
#include "base/log.h"
#include "loop/loop.h"
#include "program/lines.h"
#include "program/program.h"

/* What a child prints. */
struct output {
    struct buf partial[2]; /* incomplete lines of stdout and stderr */
    struct buf latest;     /* latest bytes of both, in the order in which they came */
};

/* output.c */
void output_init(struct output *output);
void output_release(struct output *output);
/* Takes bytes of stdout (0) or stderr (1), and logs each line.  task_id 0: the child has no task, or several. */
void output_take(struct output *output, int stream, const char *bytes, size_t length, int child, int64_t task_id);
/* Logs incomplete lines: the child has ended. */
void output_end(struct output *output, int child, int64_t task_id);
/* The last words on one line.  The caller frees the text; "": none. */
char *output_last_words(const struct output *output) NODISCARD;
/* A result for the error of a task: {"output": ..., "retry_after": ...} with the fields that are known; retry_after negative: not
 * given; with_output false: no output.  The caller frees the text.  NULL: there is nothing to say. */
char *output_result(const struct output *output, bool with_output, double retry_after) NODISCARD;

/* The life of a child. */
enum child_state {
    CHILD_STARTING, /* its hello line has not come */
    CHILD_READY,
    CHILD_LEAVING, /* gets no more tasks */
    CHILD_ENDED,   /* its process has ended */
};

/* Why a call is to end before its answer. */
enum carried_end { CARRIED_RUNS, CARRIED_TIMED_OUT, CARRIED_CANCELLED, CARRIED_LOST };

/* A call that a child has.  Its child owns it; a call that could not be handed over belongs to program->unsent. */
struct carried {
    struct list node;
    struct child *child; /* NULL: not handed over */
    struct program *program;
    void *call; /* the worker's; NULL: forgotten */
    int64_t id;
    int64_t timeout_ms; /* 0: none */
    int64_t due_ms;     /* end of the time that the call, or then its cancellation, has; 0: none */
    enum carried_end end;
    bool is_overdue;     /* the time of its cancellation is over, too */
    int64_t complete_at; /* bytes that the child must have taken before it can know the task */
    int64_t progress_ms; /* earliest time of the next report of progress; 0: none yet */
    int64_t rest_ms;     /* time between the last two reports; it doubles each time */
};

struct child {
    struct list node; /* in program->children */
    struct program *program;
    int number; /* number of this child, for the log */
    enum child_state state;
    bool is_old;        /* it is to be replaced when another child is ready */
    bool has_worked;    /* it has answered a call */
    bool was_bad;       /* it was replaced or killed for something that it did */
    bool was_told;      /* the stop line was sent */
    int signal;         /* last signal that was sent to its group; 0: none */
    char *reason;       /* why it was killed; NULL: it was not, or for no fault of its own */
    int64_t due_ms;     /* time of the next step of its end, or of the missing hello; 0: none */
    bool has_pong;      /* it answers pings */
    int pings;          /* pings since its last line */
    int64_t ping_at_ms; /* time of the next ping, or of the end after the last one; 0: none */
    struct spawn *spawn;
    int pid;                               /* process of the program; 0: not known */
    int in, out, logs[2], control, status; /* our ends of its pipes; -1: closed */
    struct watch *in_watch, *out_watch, *log_watches[2], *status_watch;
    struct lines answers;
    struct lines statuses;
    struct buf result;  /* once per task: what it wrote on stdout */
    struct buf to_send; /* bytes that its pipe has not taken yet */
    size_t sent;        /* bytes of to_send that were taken */
    int64_t taken;      /* bytes that its pipe has taken in all */
    struct output output;
    struct list calls;
    int call_count;
    int64_t tasks; /* tasks that it was given */
    int at_once;
    char *types; /* array literal; NULL: not known */
    struct timer *timer;
    bool has_status; /* code and number are known from the launcher */
    int code;        /* exit code */
    int number_of_signal;
};

struct program {
    const struct program_options *options;
    struct carrier carrier;
    struct carrier_user user;
    struct loop *loop;
    struct list children;
    struct list unsent;  /* calls whose answer is due in the next pass */
    struct timer *timer; /* starts */
    struct timer *unsent_timer;
    struct timer *sample_timer;
    int64_t start_at_ms; /* no child is started before this time */
    int failures;        /* children in a row that ended without work */
    int64_t ended;       /* children that ended as expected */
    int64_t failed;      /* children that ended otherwise */
    int next_number;
    bool is_changing; /* program_on_change is under way */
    bool is_stopping;
    char *types; /* types of all children; the last known ones; NULL: not known yet */
};

/* Bytes of one read; reads in one callback; rounds of such reads after the end of the process. */
enum { CHILD_READ_BYTES = 65536, CHILD_READS = 16, CHILD_LAST_READS = 64 };

/* child_pipes.c */
bool child_make_pipe(int *ours, int *theirs, bool we_write); /* our end does not block; false: errno says why */
void child_close_pipe(int *fd, struct watch **watch);        /* watch NULL: it has none */
ssize_t child_read_some(int fd, char *bytes);                /* CHILD_READ_BYTES at most; 0: the end; -1: nothing now */
int64_t child_only_task(const struct child *child);          /* 0: it has none, or several */
void child_read_log(struct child *child, int stream);        /* 0: stdout; 1: stderr */
void child_read_status(struct child *child);
void child_on_stdout(void *child, int events);
void child_on_stderr(void *child, int events);
void child_on_status(void *child, int events);
bool child_flush(struct child *child);       /* writes what the pipe takes; false: the child reads no more */
void child_close_input(struct child *child); /* if the child has nothing more to do */

/* child_start.c */
struct child *child_start(struct program *program, const struct carrier_task *task); /* NULL: the system refused; logged */
void child_free(struct child *child);

/* child_end.c */
void child_on_ended(void *child, int code, int number);

/* child_times.c */
void child_arm(struct child *child);   /* sets the timer for what is due next */
void child_heard(struct child *child); /* it has written a line, so it is alive */
void child_on_timer(void *child);
/* Sends a signal to its whole group.  why NULL: for no fault of the child, and not logged. */
void child_kill(struct child *child, int number, const char *why);

/* child.c */
void child_on_writable(void *child, int events);
void child_on_answers(void *child, int events);
bool child_read_answers(struct child *child); /* true: there may be more */
/* The call has this outcome.  Frees `carried`. */
void child_answer(struct child *child, struct carried *carried, const struct carrier_answer *answer);
bool child_does(const struct child *child, const char *type);
bool child_has_place(const struct child *child, const char *type);
/* Hands a task over.  If the child reads no more, the call is given back as unsent. */
void child_send(struct child *child, struct carried *carried, const struct carrier_task *task);
void child_cancel(struct carried *carried, enum carried_end end);
void child_leave(struct child *child, const char *why); /* finish its tasks, then end; why NULL: not logged */
void child_push(struct child *child);                   /* child_flush, and what follows if the child reads no more */
int64_t child_memory(const struct child *child);        /* resident bytes; 0: not known */

/* program.c */
void program_on_change(struct program *program); /* a child is ready, leaves or has a free place */
void program_on_ended(struct child *child);      /* the process has ended, and its calls are answered */
void program_answer(struct carried *carried, const struct carrier_answer *answer); /* frees `carried` */
void program_unsent(struct carried *carried); /* answers in the next pass: it was not handed over */

#endif

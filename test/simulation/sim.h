/*
 * The simulation: real workers (src/task, src/channel) in one process, on a loop with virtual time, against a model of
 * the database and simulated providers.  One seed, one history; the same seed gives the same history, to the last event.
 *
 *   sim_loop.c        virtual time, events, loop.h for several workers; chance and the wall clock
 *   sim_db.c          db_conn.h: the network between a worker and the server, with its faults
 *   sim_server.c      sessions: requests in order, locks, commits, restarts, notifications
 *   sim_model.c       the tables, and what a claim, a renewal, a run, a result change in them
 *   sim_schedules.c   schedules: their slots, decisions and account
 *   sim_statements.c  the statements of db/statements.h: parameters to the model, its answer to rows
 *   sim_http.c        http_client.h: providers that answer, fail, hang, are out of reach
 *   sim_program.c     channel/carrier.h: a program whose children answer, fail, hang, die
 *   sim_world.c       a history: what is enqueued, and what befalls workers, server and network
 *   sim_check.c       what must hold, at every step and at the end
 *   sim_script.c      scripted statements from standard input, for the comparison with the real server
 */
#ifndef SIMULATION_SIM_H
#define SIMULATION_SIM_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/banned.h"
#include "base/bounds.h"
#include "base/err.h"
#include "base/list.h"
#include "db/db_conn.h"
#include "loop/loop.h"
#include "task/worker.h"

enum {
    SIM_WORKERS = 240, /* in one history, those that ended included */
    SIM_TASKS = 2000,
    SIM_QUEUES = 4,
    SIM_HOSTS = 4,
    SIM_SCHEDULES = 3,
    SIM_SLOTS = 120, /* of one schedule */
};

#define SIM_MS ((int64_t)1000)
#define SIM_SECOND ((int64_t)1000000)

struct session;
struct sim_worker;

/* --- chance ---------------------------------------------------------------------------- */

uint64_t sim_random(void);
int64_t sim_between(int64_t low, int64_t high); /* both included */
bool sim_chance(int per_mille);

/* --- time and events ------------------------------------------------------------------- */

/* Something that happens later.  With a loop it happens in that process, and not while the process is frozen. */
struct sim_event;
struct sim_event *sim_after(struct loop *loop, int64_t delay_us, loop_fn *fn, void *cookie);
void sim_cancel(struct sim_event *event); /* NULL is fine */

/* A process. */
struct loop {
    int number;
    struct sim_worker *owner;
    bool is_dead;    /* nothing happens in it any more */
    bool is_stopped; /* it called loop_stop */
    int64_t frozen_until_us;
    int64_t asleep_us; /* how long the machine was suspended: the monotonic clock does not count that */
    loop_fn *pass;
    void *pass_cookie;
    struct sim_event *pass_event;
    int64_t busy_at_us; /* the instant in which it did something last */
    int busy_count;     /* and how often */
};

void sim_freeze(struct loop *loop, int64_t for_us, bool is_suspended);
bool sim_step(void);                   /* the next event; false: there is none */
void sim_drop_events(void);            /* at the end of a history */
void sim_kill_loop(struct loop *loop); /* its process is gone */

/* --- tables ---------------------------------------------------------------------------- */

enum sim_kind {
    KIND_NOOP,
    KIND_FUNCTION,
    KIND_COMMAND,
    KIND_PREPARED,
    KIND_HTTP,
    KIND_JOB,
    KIND_SMS,
    KIND_EMAIL,
    KIND_PROGRAM,
    KIND_CAREFUL,
    KINDS
};

/* What user code of a task does when it runs. */
enum sim_mood {
    MOOD_GOOD,
    MOOD_RAISES,       /* an error of its own: the task fails */
    MOOD_PASSING,      /* a few passing errors, then it is good */
    MOOD_AT_COMMIT,    /* an error at commit */
    MOOD_KILLS,        /* it ends its connection each time */
    MOOD_UNWELL,       /* the server is unwell for a few runs */
    MOOD_HANDLER_FAILS /* calls: the handler fails a few times */
};

enum sim_place { PLACE_OPEN, PLACE_READY, PLACE_RUNNING, PLACE_COMPLETED };

enum lease_end { LEASE_OPEN, LEASE_COMPLETED, LEASE_RELEASED, LEASE_RETRY, LEASE_EXPIRED, LEASE_HANDLER_FAILED };

/* The facts of one lease. */
struct sim_lease {
    int worker; /* number of a sim_worker */
    int64_t leased_us;
    int64_t length_us;
    enum lease_end how;
    const char *outcome; /* kept for a handler that is still to be run, or NULL */
    bool was_dispatched;
    bool was_drawn; /* its commit need not have reached the disk */
    const char *late_outcome;
    int sends;        /* requests that left for its provider */
    bool was_told;    /* the worker knows its outcome */
    bool is_recorded; /* and so does the database */
};

struct sim_task {
    int64_t id;
    enum sim_kind kind;
    enum sim_mood mood;
    int mood_left; /* how often it still strikes */
    int queue;
    int64_t priority;
    int64_t work_us; /* of its user code, or of its provider */
    int64_t timeout_ms;
    int host;       /* of a call */
    bool is_hidden; /* its destination is known only when it is announced */
    int job_retries;
    int transaction; /* that has written it and is open; -1: none */
    bool is_retry;
    enum sim_place place;
    int64_t enqueued_us;
    int64_t committed_us;
    int64_t available_us;
    int32_t lease_no; /* the newest */
    char phase;
    int crash_count;
    int retry_count;
    int handler_failures;
    int64_t expires_us; /* while it is running */
    bool is_limited;
    bool is_cancelled; /* to be */
    bool knows_host;   /* a destination that was hidden is known by now */
    struct session *locked_by;
    int64_t rolled_back_us; /* a transaction that held it was */
    const char *outcome;    /* when it is completed */
    int32_t completed_by;
    struct sim_lease *leases; /* by number, from 1 */
    int lease_room;
};

struct sim_queue {
    char name[16];
    int max_running; /* 0: no limit */
    int64_t paused_until_us;
    struct session *locked_by;
};

/* What becomes of slots that were missed. */
enum sim_catch_up { CATCH_UP_SKIP, CATCH_UP_ONCE, CATCH_UP_ALL };

enum sim_account { SLOT_UNDECIDED, SLOT_FIRED, SLOT_PASSED };

/* Slot n is n intervals after the start. */
struct sim_schedule {
    int number;
    bool is_committed; /* by who made it */
    bool is_paused;
    bool may_overlap;
    enum sim_catch_up catch_up;
    enum sim_kind kind;
    int queue;
    int64_t start_us;
    int64_t every_us;
    int slot_count;
    int next;           /* the first slot that is not decided about */
    int64_t fire_us;    /* time of the next decision; INT64_MAX: none */
    int64_t changed_us; /* by a person */
    int refusals;
    struct session *locked_by;
    struct sim_task *newest; /* task of the last slot that was fired, or NULL */
    enum sim_account account[SIM_SLOTS];
    /* The last decision, and what it found: a crash of the server may undo it. */
    int64_t decided_us;
    int was_next;
    int64_t was_fire_us;
    struct sim_task *was_newest;
    int first_task, task_count;
};

/* --- the server ------------------------------------------------------------------------ */

enum gate { GATE_NONE, GATE_WAITS, GATE_OWNED };

struct request {
    struct list node;
    struct session *session;
    struct db_unit *unit; /* who waits for the answer; NULL: nobody any more */
    enum statement statement;
    char *params[BOUND_PARAMS];
    bool is_limited;
    int64_t timeout_ms;
    int64_t lock_timeout_ms;
    bool is_cancelled;
    int64_t timeout_us;      /* it is cancelled after this; 0: never */
    struct sim_task **tasks; /* that it has locked or means to, in order */
    int32_t *lease_nos;
    int task_count;
    int reached;                    /* of a batch: how many were run */
    int first_slots[SIM_SCHEDULES]; /* that it decides about, of each schedule that it has locked; else -1 */
    PGresult *rows;
    bool has_failed;
    bool is_at_commit;
    struct err err;
    int64_t sent_us;
    int64_t started_us;
    struct sim_event *event;
};

struct session {
    struct list node;
    struct db_conn *client; /* NULL: gone, or it does not know yet that the connection is lost */
    struct sim_worker *worker;
    struct list requests; /* in order; the first is under way if is_busy */
    struct list arriving; /* sent, and not there yet */
    bool is_busy;
    bool is_dead;
    bool is_listening;
    bool is_holder;
    bool has_locks;
    bool is_fatal; /* the request under way ends this session */
    enum gate gate;
    bool follows; /* it holds the lock of those that follow the owner of the gate */
    char next_token[24];
    struct sim_task *next_task;
    int32_t next_lease_no;
    int64_t next_timeout_ms;
    int64_t arrives_us; /* of the last request */
    int64_t answers_us; /* of the last answer */
};

struct session *server_connect(struct db_conn *client, struct sim_worker *worker);
void server_send(struct session *session, struct request *request); /* takes the request */
void server_leave(struct session *session, int64_t linger_us);      /* the client is gone; the server sees it after a while */
void server_cancel(struct session *session);
void server_end_session(struct session *session); /* at once; what is under way is rolled back */
void server_restart(int64_t down_us);
void server_cut(const struct sim_worker *worker); /* all its sessions, without a word */
void server_notify(const char *channel, const char *payload);
void server_on_shared_gate(void); /* an enqueuer has let go of it */
bool server_is_gate_wanted(void); /* a worker sleeps, or wants to */
bool server_try_shared_gate(void);
bool server_has_followers(const struct session *session); /* others than this one */
void server_pass_gate(void);                              /* it may be free: who waits for it gets it */
void server_free(void);
void request_free(struct request *request);

/* The two ends of a statement: what it looks at and locks, and how long it takes; then what it changes and says.  A
 * negative time: it waits for a lock and is begun again when that may be free. */
int64_t statement_begin(struct request *request);
void statement_end(struct request *request);

/* db side: an answer has come. */
void db_answered(struct db_unit *unit, struct request *request);
void db_unit_forget(struct db_unit *unit);
void db_lost(struct db_conn *conn, int64_t notice_us); /* the network: it learns of it after a while */
void db_notified(struct db_conn *conn, const char *channel, const char *payload);

/* --- the model ------------------------------------------------------------------------- */

struct claim_wish {
    struct session *session;
    int worker;
    bool queues[SIM_QUEUES];
    bool kinds[KINDS];
    int limit;
    int64_t lease_us;
    const char *hints; /* JSON, or NULL */
    bool takes_back;
    const char *destinations, *rooms, *retry_rooms; /* array literals, or NULL */
    int other_room, other_retry_room, shared_room;
};

struct sim_task *model_task(int64_t id);
struct sim_task *model_add(enum sim_kind kind, int queue);
int model_claim(const struct claim_wish *wish, struct sim_task **ret_tasks); /* locks them; room for all */
void model_lease(struct sim_task *task, int worker, int64_t lease_us);
bool model_holds(const struct sim_task *task, int worker, int64_t lease_no);
bool model_lock(struct sim_task *task, struct session *session);
void model_unlock(struct session *session, bool is_rollback);
void model_complete(struct sim_task *task, const char *outcome);
void model_ready(struct sim_task *task, int64_t at_us, enum lease_end how);
void model_end_dead(struct sim_task *task);
const char *model_finish(
    struct sim_task *task, int worker, int64_t lease_no, const char *outcome, bool is_2xx, bool runs_handler);
const char *model_why_not(const struct sim_task *task, int worker, int64_t lease_no);
const char *model_stored(const struct sim_task *task);
const char *model_type(enum sim_kind kind);
const char *model_adapter(enum sim_kind kind);
bool model_is_call(enum sim_kind kind);
bool model_is_program(enum sim_kind kind);
bool model_fails_in_doubt(enum sim_kind kind);
bool model_is_prepared(enum sim_kind kind); /* a command */
void model_destination(const struct sim_task *task, char *text, size_t size);
int64_t model_next_due(const bool *kinds);
void model_cancel(struct sim_task *task);
void model_crash(void); /* what had not reached the disk is gone */

/* --- schedules --------------------------------------------------------------------------- */

void schedules_plan(int64_t active_us);         /* of a history that lasts so long */
void schedules_lock(struct request *request);   /* what is due, as far as nobody else has it */
int schedules_decide(struct request *request);  /* about what it has locked; their number */
int64_t schedules_next_us(void);                /* INT64_MAX: nothing is planned */
void schedules_unlock(struct session *session); /* its transaction has ended */
void schedules_crash(void);                     /* the last decisions need not have reached the disk */
void schedules_resume(void);                    /* those that are paused */
bool schedules_are_done(void);                  /* no slot is to come */
int schedules_slots(void);                      /* that were decided about */
void schedules_check(void);                     /* nothing that is due waits */
void schedules_check_end(void);                 /* every slot is on record */

/* --- workers and the world ---------------------------------------------------------------- */

struct sim_worker {
    int number;
    struct loop loop;
    struct worker *worker; /* NULL: ended */
    char id[40];
    struct worker_options options;
    bool is_program; /* its tasks are carried out by a program */
    int64_t born_us;
    int64_t stop_us; /* it was told to stop; 0: it was not */
    bool was_killed;
    int64_t cut_until_us;      /* the network does not let it reach the database */
    bool was_hurried;          /* it ended without its grace */
    int64_t stop_bound_us;     /* after which it must have ended */
    int64_t well_since_us;     /* neither frozen nor cut off since */
    int64_t entered_us;        /* the worker was told that it has entered the gate; 0: it has looked since then */
    int64_t functions_idle_us; /* it has held no such task since */
    int64_t calls_idle_us;
    int64_t host_full_us;  /* one of its destinations was at its limit */
    int64_t queue_full_us; /* its limit of the first queue was reached */
    int64_t idle_us;       /* it has held nothing since */
    int64_t statements;
    int64_t window_us; /* of a second, for which statements are counted */
    int64_t window_statements;
    int64_t window_leases;
    int64_t earlier_leases;  /* of the window before */
    int64_t asked_us;        /* its last question for schedules that are due began at this time, and was answered */
    int64_t asked_asleep_us; /* and so long the machine had been suspended by then */
    int64_t told_done;       /* ends that the database has told it of */
};

struct sim_faults {
    int lose_before; /* per mille, of requests */
    int lose_during;
    int lose_after;
    int slow;
    int refuse;       /* lock timeouts, resources */
    int lost_notices; /* of notifications */
    int late_notices;
    int provider; /* calls that go wrong */
    bool restarts;
    bool kills;
    bool freezes;
    bool cuts;
};

struct sim {
    uint64_t seed;
    uint64_t random;
    int64_t now_us;
    uint64_t digest; /* of all that happened */
    bool is_trace;
    bool has_failed;
    char failure[512];
    struct sim_faults faults;
    bool is_calm;   /* faults are over */
    bool is_ending; /* every worker is told to stop, and none starts any more */
    int64_t calm_since_us;
    int64_t disturbed_us;  /* the end of the last fault */
    int64_t worked_us;     /* a task was enqueued, leased or ended */
    int64_t wait_bound_us; /* longest time that a due task may wait */
    int64_t down_until_us; /* the server */
    int server_no;
    struct list sessions;
    struct list dead_sessions;
    int64_t committed_us; /* the last commit that waited for the disk */
    int open_enqueuers;   /* that hold the shared gate */
    int64_t gate_us;      /* last time at which the gate was not simply open */
    struct sim_queue queues[SIM_QUEUES];
    int queue_count;
    struct sim_schedule schedules[SIM_SCHEDULES];
    int schedule_count;
    struct sim_task **tasks;
    int task_count;
    struct sim_worker *workers[SIM_WORKERS];
    int worker_count;
    int64_t poll_ms;
    int64_t lease_ms;
    int64_t latency_us;
    int64_t slow_commit_us; /* of an enqueuer that takes its time */
    int64_t statements;
    int64_t events;
    int64_t longest_wait_us;
    bool is_script;
    bool has_programs; /* some workers have a program, and some tasks are for it */
};

extern struct sim *sim; /* the one that is played */

bool world_play(uint64_t seed, bool is_trace); /* false: sim->failure says why */
void world_free(void);
struct sim_task *world_task(enum sim_kind kind, int queue, int64_t at_us); /* of any mood; not committed */
void world_worker_ended(struct sim_worker *worker);
void world_shuts(struct sim_worker *worker); /* what is left of a process */
int script_main(void);

/* A program.  Its worker frees its calls first. */
struct carrier;
struct carrier *program_simulated(void);
bool program_has_place(const struct carrier *carrier);
void program_simulated_free(const struct carrier *carrier); /* NULL is fine */

/* The network may fail just now. */
bool world_has_faults(void);

void sim_disturb(int64_t for_us); /* a fault lasts for_us, and excuses a delay of this length */
void sim_fail(const char *format, ...) FORMAT(1, 2);
void sim_tell(const char *format, ...) FORMAT(1, 2); /* to the trace */
void sim_mix(uint64_t value);                        /* into the digest */
#define sim_say(...) (sim->is_trace ? sim_tell(__VA_ARGS__) : (void)0)

/* --- checks ------------------------------------------------------------------------------ */

void check_pass(struct sim_worker *worker);                                          /* after each pass */
void check_often(void);                                                              /* twice a second */
void check_send(const struct sim_worker *worker, int64_t task_id, int32_t lease_no); /* a request leaves */
void check_expired(const struct sim_task *task);                                     /* a lease was taken back */
void check_statement(struct sim_worker *worker, enum statement statement);
void check_answer(struct sim_worker *worker, enum statement statement, const struct db_result *result);
void check_stopped(const struct sim_worker *worker);
void check_end(void);

#endif

#include "cli/command.h"

#include "cli/channels.h"

#define LAST CONFIG_COUNT

/* Options that many commands share. */
#define CONNECT CONFIG_DATABASE_URL
#define LOG CONFIG_LOG_LEVEL, CONFIG_LOG_FORMAT
/* Options of commands that act on many things, and what all of them say. */
#define BULK CONFIG_ENDED_SINCE, CONFIG_UNTIL, CONFIG_ERROR_LIKE, CONFIG_ALL, CONFIG_DRY_RUN, CONFIG_YES
#define BULK_ABOUT                                                                                                               \
    "What a filter finds is counted and frozen as an act, and exactly that is done, in batches. Ctrl-C leaves an act that "      \
    "reeve bulk"                                                                                                                 \
    " resume continues. On a terminal the command asks first."
#define PRINT CONFIG_OUTPUT, CONFIG_COLOR
#define LIST CONFIG_WATCH, PRINT
#define WORK                                                                                                                     \
    CONFIG_QUEUE, CONFIG_QUEUE_CONCURRENCY, CONFIG_TYPES, CONFIG_CONCURRENCY, CONFIG_NAME, CONFIG_POLL_INTERVAL, CONFIG_LEASE,   \
        CONFIG_STOP_GRACE, CONFIG_LOCK_TIMEOUT, CONFIG_HANDLER_TIMEOUT, CONFIG_INSTALLATION, CONFIG_SINGLE_INSTANCE,             \
        CONFIG_UNTIL_EMPTY, CONFIG_LISTEN, CONFIG_STALL_AFTER, CONFIG_TRACE_URL, CONFIG_TRACE_HEADERS, CONFIG_TRACE_SERVICE,     \
        CONFIG_IDLE_LOG, CONNECT, LOG

/* Settings of a queue, for the answer of a command that has changed them. */
#define QUEUE_SETTINGS                                                                                                           \
    "select queue, coalesce(paused_until > clock_timestamp(), false) as paused,"                                                 \
    " case when paused_until < 'infinity' then paused_until end as paused_until, max_running, top_level_limit, description"      \
    " from queues.queue where queue = $1"

/* clang-format off */
const struct noun nouns[] = {
    {"task", "units of work and their history", SECTION_LOOK},
    {"bulk", "acts on many tasks, processes or jobs", SECTION_LOOK},
    {"queue", "queues, their limits and pauses", SECTION_LOOK},
    {"process", "supervised processes and their runs", SECTION_LOOK},
    {"worker", "programs that run tasks", SECTION_LOOK},
    {"job", "HTTP jobs and their answers", SECTION_LOOK},
    {"schedule", "recurring work", SECTION_LOOK},
    {"webhook", "row changes that become HTTP jobs", SECTION_LOOK},
    {"audit", "what people have changed", SECTION_LOOK},
    {"command", "commands and their procedures", SECTION_RULES},
    {"type", "task types and how they are carried out", SECTION_RULES},
    {"function", "functions that tasks may name", SECTION_RULES},
    {"secret", "named secrets of tasks", SECTION_RULES},
    {"new", "SQL that is the same each time, written into files of your own", SECTION_RULES},
    {"config", "settings of the engine", SECTION_RULES},
};
const int noun_count = (int)LENGTH(nouns);

const struct command commands[] = {
    /* --- set up --- */
    {.name = "dev", .operands = "[DIR]", .section = SECTION_SETUP,
        .summary = "start a private PostgreSQL, a worker, and a guided demo",
        .about = "The server, its data and its log are in DIR; the default is a folder that belongs to the current one, and its name"
                 " is printed. E-mail is stored in the folder instead of being sent. Ctrl-C stops everything; the data stay.",
        .function = cmd_dev, .keys = {CONFIG_ONCE, LAST},
        .examples = {{"reeve dev", "try Reeve without a database of your own"},
                     {"reeve dev --once", "play the demo, check every fact, and leave nothing behind"}}},
    {.name = "install", .section = SECTION_SETUP,
        .summary = "install the schema into a database",
        .about = "The whole schema is installed in one transaction. Nothing is changed if it is installed already.",
        .function = cmd_install,
        .keys = {CONFIG_DRY_RUN, CONFIG_RUNNER, CONFIG_STRICT, CONFIG_WITHOUT, CONFIG_WITH_EXAMPLE, CONNECT, LAST},
        .examples = {{"reeve install --database-url postgresql://postgres@db/shop", "install into the database shop"},
                     {"reeve install --dry-run > reeve.sql", "write the SQL to a file, for psql or an SQL editor"},
                     {"reeve install --without comms,files", "leave out e-mail, SMS and files"}}},
    {.name = "migrate", .section = SECTION_SETUP,
        .summary = "bring the schema to the version of this program",
        .about = "Migrations go forward only and run beside live traffic, in many small transactions. An interrupted migration is"
                 " continued by the next call.",
        .function = cmd_migrate,
        .keys = {CONFIG_DRY_RUN, CONFIG_INSTALL, CONFIG_WITHOUT, CONFIG_PATIENCE, CONNECT, LAST},
        .examples = {{"reeve migrate", "migrate the database of REEVE_DATABASE_URL"},
                     {"reeve migrate --install", "also install the schema if there is none, as a job before each deploy"},
                     {"reeve migrate --dry-run", "show the SQL of the pending steps"}}},
    {.name = "uninstall", .section = SECTION_SETUP,
        .summary = "remove the schema and everything in it",
        .about = "All tasks and all facts are removed. The command asks for the name of the database first.",
        .function = cmd_uninstall, .keys = {CONFIG_YES, CONFIG_DRY_RUN, CONNECT, LAST},
        .examples = {{"reeve uninstall", "remove it after a question"}, {"reeve uninstall --dry-run", "show the SQL only"}}},
    {.name = "adopt", .section = SECTION_SETUP,
        .summary = "let workers run in a copied or restored database",
        .about = "A worker refuses to run in a copy of a database, because it would send every message a second time.",
        .function = cmd_adopt, .keys = {CONFIG_CANCEL_OPEN, CONFIG_YES, PRINT, CONNECT, LAST},
        .examples = {{"reeve adopt --cancel-open", "use a copy for tests: its open calls to the outside are cancelled"},
                     {"reeve adopt --yes", "after a restore: go on where the old database stopped"}}},
    {.name = "doctor", .section = SECTION_SETUP,
        .summary = "check schema, rights, settings and invariants, and say what to do",
        .about = "The exit code is 1 if there is a problem.",
        .function = cmd_doctor, .keys = {CONFIG_REPAIR, CONFIG_FULL, CHANNEL_OPTIONS, PRINT, CONNECT, LAST},
        .examples = {{"reeve doctor", "after an install, and whenever something looks wrong"},
                     {"reeve doctor --full", "check all of history, too, which takes a while"},
                     {"reeve doctor -o json", "for a monitor"}}},

    /* --- run tasks --- */
    {.name = "work", .section = SECTION_RUN,
        .summary = "run tasks until a signal stops the worker",
        .about = "TERM or Ctrl-C: the worker stops claiming, and running tasks may finish within --stop-grace. HUP: it reads its"
                 " settings again. USR1: it logs the tasks that it holds.",
        .function = cmd_work,
        .keys = {WORK, CONFIG_CHANNEL_CONCURRENCY, CONFIG_PER_HOST, CHANNEL_OPTIONS, LAST},
        .examples = {{"reeve work --concurrency 8", "eight database functions at once"},
                     {"reeve work --queue email:4 --queue default", "serve two queues only"},
                     {"reeve work --until-empty", "run what is due, then end"}}},
    {.name = "run", .operands = "-- PROGRAM [ARGUMENT ...]", .section = SECTION_RUN,
        .summary = "run tasks by a program in any language, as child processes",
        .about = "The program says which task types it can do. With --once-per-task it is started for each task instead, and"
                 " --types names the types.",
        .function = cmd_run,
        .keys = {CONFIG_PROCESSES, CONFIG_STDIO, CONFIG_ONCE_PER_TASK, CONFIG_ENV, CONFIG_ENV_FILE, CONFIG_DIRECTORY, CONFIG_USER,
                 CONFIG_UMASK, CONFIG_LIMITS, CONFIG_HELLO_TIMEOUT, CONFIG_KILL_GRACE, CONFIG_PING, CONFIG_MAX_TASKS_PER_CHILD,
                 CONFIG_CHILD_MEMORY, CONFIG_KEEP_OUTPUT, WORK, LAST},
        .examples = {{"reeve run --processes 4 -- python3 tasks.py", "four children of a program"},
                     {"reeve run --once-per-task --types resize -- ./resize.sh", "a script that is started for each task"}}},
    {.name = "enqueue", .operands = "[TYPE] [JSON]", .section = SECTION_RUN,
        .summary = "add a task and print its id",
        .about = "With --command, TYPE may be left out.",
        .function = cmd_enqueue,
        .keys = {CONFIG_AT, CONFIG_IN_QUEUE, CONFIG_PRIORITY, CONFIG_DEDUP_KEY, CONFIG_COMMAND, CONFIG_WAIT, CONFIG_OUTPUT, CONNECT, LAST},
        .examples = {{"reeve enqueue db_function '{\"db_function\": \"public.hello\"}' --wait", "run a function and wait for its end"},
                     {"reeve enqueue db_function '{\"db_function\": \"public.hello\"}' --at tomorrow", "run it tomorrow"},
                     {"reeve enqueue --command rebuild_index '{\"table\": \"orders\"}'", "enqueue a command"}}},

    /* --- look and act --- */
    {.name = "task list",
        .summary = "list tasks, newest first",
        .about = "A filter looks at the newest tasks, as far back as it says. Open tasks are found whatever history has.",
        .function = cmd_list,
        .columns = "task_id state task_type status queue scheduled_at completed_at last_error priority",
        .keys = {CONFIG_STATE, CONFIG_OUTCOME, CONFIG_TYPE, CONFIG_OF_QUEUE, CONFIG_ENDED_SINCE, CONFIG_UNTIL, CONFIG_ERROR_LIKE, CONFIG_LIMIT,
                 CONFIG_CURSOR, LIST, CONNECT, LAST},
        .examples = {{"reeve task list --state running", "what is at work now"},
                     {"reeve task list --outcome failed --type email --since 1d", "e-mails that failed in the last day"},
                     {"reeve task list --queue default -o json", "for a script"}}},
    {.name = "task show", .operands = "ID",
        .summary = "show a task and its history",
        .about = "The history has every fact of the task: leases, renewals, calls, errors and the end; if it was retried, of all"
                 " attempts.",
        .function = cmd_task_show, .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve task show 4711", "what happened to task 4711"}}},
    {.name = "task retry", .operands = "[ID] ...",
        .summary = "enqueue completed tasks again, as new tasks",
        .about = "Tasks are named by their ids or by a filter; without --outcome it means tasks that failed. " BULK_ABOUT,
        .function = cmd_act,
        .keys = {CONFIG_OUTCOME, CONFIG_TYPE, CONFIG_OF_QUEUE, BULK, PRINT, CONNECT, LAST},
        .examples = {{"reeve task retry 4711", "run task 4711 again; prints the id of the new task"},
                     {"reeve task retry --type email --since 1h --dry-run", "count the e-mails that failed in the last hour"},
                     {"reeve task retry --error-like '%connection refused%' --yes", "after an outage, without a question"}}},
    {.name = "task cancel", .operands = "[ID] ...",
        .summary = "cancel open tasks, or ask their runs to stop",
        .about = "For one task the answer is cancelled, requested (it runs, and is asked to stop) or completed (too late). A last operand"
                 " that is no number is the reason. " BULK_ABOUT,
        .function = cmd_act,
        .keys = {CONFIG_STATE, CONFIG_TYPE, CONFIG_OF_QUEUE, BULK, PRINT, CONNECT, LAST},
        .examples = {{"reeve task cancel 4711 'sent by hand'", "cancel it, and keep the reason"},
                     {"reeve task cancel --queue import --state scheduled 'wrong file'", "all that wait for their time in a queue"}}},
    {.name = "why", .operands = "SUBJECT", .section = SECTION_LOOK,
        .summary = "say what a task, process or job waits for, or why it ended as it did",
        .about = "SUBJECT is the id of a task, or task:ID, command:ID, process:ID or job:ID. The answer is one sentence with its evidence;"
                 " it begins with \"I don't know\" where the facts give no reason. The exit code is 9 if there is no such thing.",
        .function = cmd_why, .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve why 4711", "why task 4711 does not run, or how it ended"},
                     {"reeve why process:12", "what a supervised process waits for"},
                     {"reeve why job:8 -o json", "an HTTP job, for a script"}}},
    {.name = "bulk list",
        .summary = "list acts on many things, newest first, with their progress",
        .function = cmd_list,
        .columns = "act_id kind state counted done skipped refused made_at made_by",
        .keys = {CONFIG_SINCE, CONFIG_LIMIT, CONFIG_CURSOR, LIST, CONNECT, LAST}, .examples = {{"reeve bulk list", "what was begun, and what is not finished"}}},
    {.name = "bulk show", .operands = "ID",
        .summary = "show an act, and what was skipped or refused",
        .function = cmd_bulk_show, .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve bulk show 7", "its filter, its count and its problems"}}},
    {.name = "bulk resume", .operands = "ID",
        .summary = "begin or continue an act on many things",
        .about = "Exactly the things that were counted are acted on, each once, whoever continues.",
        .function = cmd_bulk_resume, .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve bulk resume 7", "after Ctrl-C, a crash or --dry-run"}}},
    {.name = "bulk start", .operands = "ID",
        .summary = "let a worker begin or continue an act",
        .about = "A task in queue maintenance carries the act out, batch by batch, with your rights, which are asked again for each batch. reeve bulk"
                 " show has the progress, and reeve bulk stop stops it.",
        .sql = "select $1::bigint as act_id, queues.start_bulk($1::bigint) as task_id",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve bulk start 7", "a large act, without a terminal that stays open"}}},
    {.name = "bulk stop", .operands = "ID",
        .summary = "stop an act for good; what is done stays done",
        .sql = "select $1::bigint as act_id, queues.stop_bulk($1::bigint) as was_open",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve bulk stop 7", "nobody can resume it"}}},
    {.name = "bulk extend", .operands = "ID",
        .summary = "look further back in history for an act that has not begun",
        .function = cmd_bulk_extend, .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve bulk extend 7", "go on where the search of act 7 stopped"}}},
    {.name = "queue list",
        .summary = "list queues with their waiting and running tasks",
        .about = "Where counting is costly, one reader counts for all: the counts are a few seconds old at most, and their age is printed.",
        .function = cmd_queue_list,
        .columns = "queue ready running scheduled paused oldest_ready waiting handler_pending max_running",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve queue list", "how much waits in each queue"}}},
    {.name = "queue create", .operands = "QUEUE",
        .summary = "make a queue",
        .act = "select queues.create_queue($1, nullif($2::integer, 0), nullif($3::integer, 0), $4)", .sql = QUEUE_SETTINGS,
        .keys = {CONFIG_MAX_RUNNING, CONFIG_TOP_LEVEL_LIMIT, CONFIG_DESCRIPTION, PRINT, CONNECT, LAST},
        .examples = {{"reeve queue create reports --max-running 2", "two reports at once, over all workers"}}},
    {.name = "queue set", .operands = "QUEUE",
        .summary = "change the limits or the description of a queue",
        .about = "Options that are not given leave their setting as it is.",
        .act = "select queues.set_queue($1, $2::integer, $3::integer, $4)", .sql = QUEUE_SETTINGS,
        .keys = {CONFIG_MAX_RUNNING, CONFIG_TOP_LEVEL_LIMIT, CONFIG_DESCRIPTION, PRINT, CONNECT, LAST},
        .examples = {{"reeve queue set reports --max-running 4", "four at once from now on"},
                     {"reeve queue set reports --max-running 0", "without a limit"}}},
    {.name = "queue pause", .operands = "QUEUE",
        .summary = "stop claims from a queue; running tasks finish",
        .act = "select queues.pause_queue($1, $2::interval)", .sql = QUEUE_SETTINGS,
        .keys = {CONFIG_FOR, PRINT, CONNECT, LAST},
        .examples = {{"reeve queue pause email", "until somebody resumes it"}, {"reeve queue pause email --for 1h", "for an hour"}}},
    {.name = "queue resume", .operands = "QUEUE",
        .summary = "allow claims from a paused queue again",
        .act = "select queues.resume_queue($1)", .sql = QUEUE_SETTINGS,
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve queue resume email", "end the pause now"}}},
    {.name = "process list",
        .summary = "list supervised processes with their last result and decision",
        .function = cmd_list,
        .columns = "process_id state supervisor last_status end_reason next_run_at runs ids",
        .keys = {CONFIG_PROCESS_STATE, CONFIG_SUPERVISOR, CONFIG_SINCE, CONFIG_UNTIL, CONFIG_LIMIT, CONFIG_CURSOR, LIST, CONNECT, LAST},
        .examples = {{"reeve process list --state live", "what goes on now"},
                     {"reeve process list --since 1d", "processes that began in the last day"}}},
    {.name = "process show", .operands = "ID",
        .summary = "show the runs of a process",
        .about = "Each run is shown with the facts that the supervisor saw, and with what it decided.",
        .sql = "select run_no, task_id, ran_at, status, failed, facts, enqueued, next_run_at, quiet_runs, idle_runs"
               " from queues.process_run where process_id = $1::bigint order by run_no",
        .json = "select jsonb_pretty(to_jsonb(p.*) || jsonb_build_object('runs', (select coalesce(jsonb_agg(to_jsonb(r.*)"
                " order by r.run_no), '[]') from queues.process_run as r where r.process_id = p.process_id)))"
                " from queues.process_state as p where p.process_id = $1::bigint",
        .columns = "run_no ran_at status facts next_run_at task_id enqueued failed quiet_runs idle_runs",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve process show 12", "what the supervisor of process 12 saw and decided"}}},
    {.name = "process revive", .operands = "[ID] ...",
        .summary = "give ended processes a new run",
        .about = "Processes are named by their ids or by a filter. " BULK_ABOUT,
        .function = cmd_act,
        .keys = {CONFIG_END_REASON, CONFIG_SUPERVISOR, BULK, PRINT, CONNECT, LAST},
        .examples = {{"reeve process revive 12", "let its supervisor decide once more"},
                     {"reeve process revive --type billing.remind --since 1d", "those of one supervisor that ended early today"}}},
    {.name = "process end", .operands = "ID REASON",
        .summary = "cancel the open runs of a process",
        .sql = "select queues.end_process($1::bigint, $2) as was_live",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve process end 12 'order was cancelled'", "the supervisor does not run again"}}},
    {.name = "worker list",
        .summary = "list workers and the tasks that they hold",
        .about = "Workers that stopped more than a day ago are left out.",
        .sql = "select worker_id, worker_name, version, state, tasks_held, started_at, seen_at, queues, types, host, stopped_at, stop_reason"
               " from queues.worker_state where stopped_at is null or stopped_at > now() - interval '1 day'"
               " order by started_at desc limit $1::integer",
        .columns = "worker_name state tasks_held seen_at started_at version queues types",
        .keys = {CONFIG_LIMIT, LIST, CONNECT, LAST}, .examples = {{"reeve worker list", "who works, and who has fallen silent"}}},
    {.name = "job list",
        .summary = "list HTTP jobs, newest first",
        .function = cmd_list,
        .columns = "job_id job_status url response_status job_type retry_count run_at last_at",
        .keys = {CONFIG_STATUS, CONFIG_JOB_TYPE, CONFIG_URL_PREFIX, CONFIG_SINCE, CONFIG_UNTIL, CONFIG_LIMIT, CONFIG_CURSOR, LIST, CONNECT, LAST},
        .examples = {{"reeve job list --status server_error", "jobs that have failed for good"},
                     {"reeve job list --since 1h", "jobs of the last hour"}}},
    {.name = "job show", .operands = "ID",
        .summary = "show a job, its runs and their answers",
        .function = cmd_job_show, .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve job show 88", "each run of job 88 and its answer"}}},
    {.name = "job retry", .operands = "[ID] ...",
        .summary = "run jobs again from the beginning",
        .about = "Jobs are named by their ids or by a filter. " BULK_ABOUT,
        .function = cmd_act,
        .keys = {CONFIG_JOB_STATUS, CONFIG_JOB_TYPE, CONFIG_URL_PREFIX, BULK, PRINT, CONNECT, LAST},
        .examples = {{"reeve job retry 88", "with all its retries"},
                     {"reeve job retry --url https://api.example.com/ --since 2h", "after an outage of this host"}}},
    {.name = "job cancel", .operands = "[ID] ...",
        .summary = "cancel open jobs",
        .about = "Jobs are named by their ids or by a filter. " BULK_ABOUT,
        .function = cmd_act,
        .keys = {CONFIG_JOB_STATE, CONFIG_JOB_TYPE, CONFIG_URL_PREFIX, BULK, PRINT, CONNECT, LAST},
        .examples = {{"reeve job cancel 88", "it makes no more calls"},
                     {"reeve job cancel --url https://old.example.com/", "all calls of a host that is gone"}}},
    {.name = "job replay", .operands = "URL SINCE",
        .summary = "run failed jobs again: those since a time whose URL begins like this",
        .sql = "select pgqueue.replay_failed($1, $2::timestamptz) as jobs",
        .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve job replay https://api.example.com/ '2030-01-01 09:00'", "after an outage of this host"}}},
    {.name = "schedule list",
        .summary = "list schedules in plain words, with their next and last fires",
        .sql = "select schedule_name as name, words || case when next_fire is null then '; ' || state"
               " else '; next in ' || internal.wait_words(next_fire - clock_timestamp()) end as fires, state, last_fired_at,"
               " last_outcome, usual_delay, longest_delay, pause_reason from queues.schedule_state order by schedule_name",
        .columns = "name state fires last_outcome last_fired_at pause_reason",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve schedule list", "what runs when"}}},
    {.name = "schedule show", .operands = "NAME",
        .summary = "show a schedule and its last decisions",
        .function = cmd_schedule_show, .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve schedule show nightly", "its last 20 decisions"}}},
    {.name = "schedule add", .operands = "NAME EXPRESSION [TYPE] [JSON]",
        .summary = "make or change a schedule",
        .about = "EXPRESSION is a cron expression or an interval (every 5 minutes). The work is a task of TYPE, or what --function or"
                 " --command names. The function queues.schedule has the other settings.",
        .function = cmd_schedule_add,
        .keys = {CONFIG_FUNCTION, CONFIG_COMMAND, CONFIG_IN_QUEUE, CONFIG_PRIORITY, CONFIG_ZONE, CONFIG_OVERLAP, CONFIG_CATCH_UP, PRINT,
                 CONNECT, LAST},
        .examples = {{"reeve schedule add nightly '0 3 * * *' --function public.tidy --zone Europe/Oslo", "a function at three"},
                     {"reeve schedule add poll 'every 5 minutes' --command fetch_orders", "a command every five minutes"}}},
    {.name = "schedule remove", .operands = "NAME",
        .summary = "remove a schedule; its facts stay",
        .sql = "select $1 as removed from queues.unschedule($1)",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve schedule remove nightly", "it does not fire again"}}},
    {.name = "schedule pause", .operands = "NAME [REASON]",
        .summary = "stop a schedule until it is resumed",
        .sql = "select $1 as paused from queues.pause_schedule($1, $2)",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve schedule pause nightly 'move to the new disk'", "until it is resumed"}}},
    {.name = "schedule resume", .operands = "NAME",
        .summary = "let a paused schedule go on",
        .sql = "select $1 as resumed from queues.resume_schedule($1)",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve schedule resume nightly", "its next slot fires again"}}},
    {.name = "schedule fire", .operands = "NAME",
        .summary = "fire a schedule now, besides its plan",
        .sql = "select queues.fire_schedule($1) as task_id",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve schedule fire nightly", "do the nightly work now"}}},
    {.name = "schedule backfill", .operands = "NAME FROM TO",
        .summary = "fire the slots of a time in the past that were not fired",
        .sql = "select queues.backfill_schedule($1, $2::timestamptz, $3::timestamptz) as slots",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve schedule backfill nightly 2030-01-05 2030-01-10", "five missed nights"}}},
    {.name = "schedule next", .operands = "NAME [COUNT] [ZONE]",
        .summary = "show the next slots of a schedule or of an expression",
        .about = "NAME may also be an expression that is not stored.",
        .sql = "select scheduled_for, local_time, 'in ' || internal.wait_words(scheduled_for - clock_timestamp()) as wait,"
               " queues.describe_schedule($1, $3) as words from queues.next_fires($1, coalesce($2::integer, 5), $3)",
        .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve schedule next nightly", "when it fires next"},
                     {"reeve schedule next '0 6 * * 1' 3 Asia/Tokyo", "try an expression before it is stored"}}},
    {.name = "schedule import", .operands = "FILE",
        .summary = "make schedules from a crontab, or from pg_cron's table with the word cron.job",
        .about = "FILE - is standard input.",
        .function = cmd_schedule_import, .keys = {CONFIG_FUNCTION, CONFIG_ZONE, CONFIG_DRY_RUN, PRINT, CONNECT, LAST},
        .examples = {{"crontab -l | reeve schedule import - --dry-run", "see what your crontab would become"},
                     {"reeve schedule import cron.job", "take over the jobs of pg_cron"}}},
    {.name = "webhook list",
        .summary = "list webhooks on tables",
        .sql = "select name, table_schema, table_name, events, url, enabled, disabled_reason from pgqueue.webhooks order by name",
        .columns = "name url enabled table_name events table_schema disabled_reason",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve webhook list", "which tables send where"}}},
    {.name = "webhook show", .operands = "NAME",
        .summary = "show all settings of a webhook",
        .sql = "select key as setting, value from jsonb_each_text((select to_jsonb(w.*) from pgqueue.webhooks as w where w.name = $1)) where value is not null",
        .json = "select jsonb_pretty(to_jsonb(w.*)) from pgqueue.webhooks as w where w.name = $1",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve webhook show orders", "where it sends, and what"}}},
    {.name = "webhook create", .operands = "NAME TABLE URL",
        .summary = "send changed rows of a table to a URL",
        .about = "You must own the table. pgqueue.create_webhook has the other settings.",
        .sql = "select pgqueue.create_webhook($1, $2::regclass, string_to_array(coalesce($4, 'insert,update,delete'), ','), $3,"
               " _columns => string_to_array($5, ','), _changed_only => coalesce($6::boolean, false), _when => $7,"
               " _signing_vault => $8) as webhook_id",
        .keys = {CONFIG_EVENTS, CONFIG_WEBHOOK_COLUMNS, CONFIG_CHANGED_ONLY, CONFIG_WHEN, CONFIG_SIGNING_SECRET, PRINT, CONNECT, LAST},
        .examples = {{"reeve webhook create orders public.orders https://example.com/hook", "every change of a row"},
                     {"reeve webhook create paid public.orders https://example.com/paid --events update --when 'new.paid'",
                      "only updates that leave the order paid"}}},
    {.name = "webhook drop", .operands = "NAME",
        .summary = "remove a webhook",
        .sql = "select $1 as dropped from pgqueue.drop_webhook($1)",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve webhook drop orders", "jobs that it has made stay"}}},
    {.name = "webhook test", .operands = "NAME",
        .summary = "send a body of type TEST",
        .sql = "select pgqueue.test_webhook($1) as job_id",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve webhook test orders", "prints the id of the job; see reeve job show"}}},
    {.name = "webhook pause", .operands = "NAME",
        .summary = "switch a webhook off; changes of rows meanwhile are not recorded",
        .sql = "select $1 as paused, 'rows changed until it is resumed are not recorded; earlier ones are delivered' as note"
               " from pgqueue.enable_webhook($1, false)",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve webhook pause orders", "before a bulk import"}}},
    {.name = "webhook resume", .operands = "NAME",
        .summary = "switch a webhook on again",
        .sql = "select $1 as resumed from pgqueue.enable_webhook($1, true)",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve webhook resume orders", "changes from now on are sent"}}},
    {.name = "audit list",
        .summary = "list acts of operators and administrators, newest first",
        .function = cmd_list,
        .columns = "acted_at actor action object detail audit_id",
        .keys = {CONFIG_SINCE, CONFIG_LIMIT, CONFIG_CURSOR, LIST, CONNECT, LAST},
        .examples = {{"reeve audit list --since yesterday", "who changed what since yesterday"}}},

    /* --- register --- */
    {.name = "command list",
        .summary = "list commands with their procedures and queues",
        .sql = "select command, handler_procedure, queue, dedup_policy, dedup_keys, timeout, description, before_procedure, after_procedure,"
               " max_crashes, created_at from worker.command_registry order by command",
        .columns = "command handler_procedure queue description dedup_keys dedup_policy timeout",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve command list", "what can be enqueued with reeve enqueue --command"}}},
    {.name = "command show", .operands = "NAME",
        .summary = "show the registration of a command",
        .sql = "select key as setting, value from jsonb_each_text((select to_jsonb(c.*) from worker.command_registry as c"
               " where c.command = $1)) where value is not null",
        .json = "select jsonb_pretty(to_jsonb(c.*)) from worker.command_registry as c where c.command = $1",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve command show rebuild_index", "its procedure, queue, hooks and rules"}}},
    {.name = "command register", .operands = "NAME PROCEDURE",
        .summary = "register a command, or replace its registration",
        .about = "worker.register_command has the other settings, such as the rules of merging.",
        .act = "select worker.register_command($1, $2, coalesce($3, 'default'), $4, $5, $6, string_to_array($7, ','), $8, null, null,"
               " $9::interval, $10::integer)",
        .sql = "select command, handler_procedure, queue, dedup_policy, dedup_keys, timeout from worker.command_registry where command = $1",
        .keys = {CONFIG_IN_QUEUE, CONFIG_BEFORE, CONFIG_AFTER, CONFIG_DESCRIPTION, CONFIG_DEDUP_KEYS, CONFIG_DEDUP_POLICY, CONFIG_TIMEOUT,
                 CONFIG_MAX_CRASHES, PRINT, CONNECT, LAST},
        .examples = {{"reeve command register rebuild_index public.rebuild_index --dedup-keys table",
                      "enqueues for the same table wait as one task"}}},
    {.name = "type list",
        .summary = "list task types",
        .sql = "select task_type, adapter, kind, default_queue, timeout, max_crashes, on_in_doubt, before_required, description"
               " from queues.registered_task_type order by task_type",
        .columns = "task_type adapter default_queue description timeout max_crashes on_in_doubt",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve type list", "what the types of tasks are, and how each is carried out"}}},
    {.name = "type register", .operands = "TYPE ADAPTER",
        .summary = "register a task type, or change its settings",
        .about = "ADAPTER is the way in which its tasks are carried out: a channel, or program for reeve run.",
        .act = "select queues.register_task_type($1, $2, coalesce($3, 'default'), coalesce($4::boolean, false), $5::interval,"
               " coalesce($6, '5')::smallint, coalesce($7, 'retry'), $8)",
        .sql = "select task_type, adapter, kind, default_queue, timeout, max_crashes, on_in_doubt, before_required, description"
               " from queues.registered_task_type where task_type = $1",
        .keys = {CONFIG_IN_QUEUE, CONFIG_BEFORE_REQUIRED, CONFIG_TIMEOUT, CONFIG_MAX_CRASHES, CONFIG_ON_IN_DOUBT, CONFIG_DESCRIPTION, PRINT,
                 CONNECT, LAST},
        .examples = {{"reeve type register resize program --timeout 5min", "a type that a program of reeve run carries out"}}},
    {.name = "function list",
        .summary = "list functions that tasks may name",
        .sql = "select function_name, kind, enabled, facts_function, added_at, added_by from internal.allowed_function"
               " order by function_name",
        .columns = "function_name kind enabled added_at added_by",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve function list", "what is registered, and who did it"}}},
    {.name = "function allow", .operands = "FUNCTION",
        .summary = "register a function that tasks may name",
        .sql = "select internal.allow_function($1, $2) as registered", .keys = {CONFIG_KIND, PRINT, CONNECT, LAST},
        .examples = {{"reeve function allow public.hello", "a function for tasks"},
                     {"reeve function allow billing.sent --kind success,error", "a handler of calls"}}},
    {.name = "function revoke", .operands = "FUNCTION",
        .summary = "remove the registration of a function",
        .sql = "select internal.revoke_function($1) as was_enabled",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve function revoke public.hello", "tasks that name it fail from now on"}}},
    {.name = "secret list",
        .summary = "list named secrets without their values, with their users and hosts",
        .sql = "select coalesce(s.name, a.secret_name) as name, s.description, s.is_sealed, s.updated_at,"
               " array_to_string(a.uses, ', ') as uses, array_to_string(a.hosts, ', ') as hosts,"
               " array_to_string(a.roles, ', ') as roles from internal.secret_names() as s"
               " full join internal.allowed_secret as a on a.secret_name = s.name order by 1",
        .columns = "name uses hosts roles description updated_at is_sealed",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve secret list", "names and records, never values"}}},
    {.name = "secret set", .operands = "NAME [DESCRIPTION]",
        .summary = "seal a secret and store it in the vault; the value is read from standard input",
        .function = cmd_secret_set, .keys = {CONFIG_VAULT_KEY, PRINT, CONNECT, LAST},
        .examples = {{"reeve secret set shop_api 'key of the shop' < key.txt", "store the content of a file"}}},
    {.name = "secret remove", .operands = "NAME",
        .summary = "remove a named secret",
        .sql = "select internal.drop_secret($1) as was_there",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve secret remove shop_api", "calls that need it fail from now on"}}},
    {.name = "new process", .operands = "SCHEMA.NAME",
        .summary = "write the SQL of a supervised process, and its tests",
        .about = "Three files are written: the SQL, a test for psql and a test for pgTAP. They are yours; nothing depends on this command"
                 " afterwards. Places that need your hand have the word CHANGE. No database is needed.",
        .function = cmd_new_process,
        .keys = {CONFIG_VIA, CONFIG_ATTEMPTS, CONFIG_FIRST_DELAY, CONFIG_URL, CONFIG_OWNER, CONFIG_INTO, CONFIG_FORCE, LAST},
        .examples = {{"reeve new process billing.reminder --via http --attempts 3 --first-delay 10s", "call an API, with two retries"},
                     {"reeve new process media.thumbnail --via program", "let a program do the work"}}},
    {.name = "new command", .operands = "SCHEMA.NAME",
        .summary = "write the SQL of a command, and its tests",
        .about = "Three files are written: the SQL, a test for psql and a test for pgTAP. They are yours; nothing depends on this command"
                 " afterwards. The file makes the queue if it is missing.",
        .function = cmd_new_command,
        .keys = {CONFIG_IN_QUEUE, CONFIG_ATTEMPTS, CONFIG_FIRST_DELAY, CONFIG_OWNER, CONFIG_INTO, CONFIG_FORCE, LAST},
        .examples = {{"reeve new command shop.recount --queue analytics", "a command recount, handled by shop.recount"}}},
    {.name = "new webhook", .operands = "SCHEMA.TABLE",
        .summary = "write the SQL of a webhook on a table, and its tests",
        .about = "Three files are written: the SQL, a test for psql and a test for pgTAP. They are yours; nothing depends on this command"
                 " afterwards. The name of the table is taken literally, with its case.",
        .function = cmd_new_webhook, .keys = {CONFIG_URL, CONFIG_EVENTS, CONFIG_INTO, CONFIG_FORCE, LAST},
        .examples = {{"reeve new webhook shop.orders --url https://example.org/hook --events insert,update", "send new and changed orders"}}},
    {.name = "config list",
        .summary = "list settings of the engine",
        .sql = "select key, value, updated_at, updated_by from internal.config order by key",
        .columns = "key value updated_at updated_by",
        .keys = {LIST, CONNECT, LAST}, .examples = {{"reeve config list", "all settings, and who changed them"}}},
    {.name = "config get", .operands = "KEY",
        .summary = "show a setting",
        .sql = "select key, value, updated_at, updated_by from internal.config where key = $1",
        .json = "select jsonb_pretty(to_jsonb(c.*)) from internal.config as c where c.key = $1",
        .keys = {PRINT, CONNECT, LAST}, .examples = {{"reeve config get retention_failed", "how long facts of failed tasks stay"}}},
    {.name = "config set", .operands = "KEY VALUE",
        .summary = "change a setting",
        .about = "VALUE is JSON; the quotes of a text may be left out. Keys that begin with app. are yours.",
        /* offset 0: the text is read as JSON only where that branch is taken. */
        .act = "select internal.set_config(k.key, case when jsonb_typeof(c.value) = 'string' and k.value !~ '^ *\"' then to_jsonb(k.value)"
               " else k.value::jsonb end) from (select $1::text as key, $2::text as value offset 0) as k"
               " left join internal.config as c on c.key = k.key",
        .sql = "select key, value, updated_at, updated_by from internal.config where key = $1",
        .keys = {PRINT, CONNECT, LAST},
        .examples = {{"reeve config set retention_failed '180 days'", "keep the facts of failed tasks for half a year"},
                     {"reeve config set transient_retry_limit 20", "retry more often after a deadlock"}}},

    /* --- measure --- */
    {.name = "top", .section = SECTION_MEASURE,
        .summary = "watch queues, workers, running tasks and failures, with keys to act on them",
        .about = "On a terminal, a screen that is refreshed; ? shows its keys. Otherwise one page of plain text, or one after each"
                 " --interval. A key that changes something asks first, and needs the role queues_operator.",
        .function = cmd_top, .keys = {CONFIG_INTERVAL, CONFIG_COLOR, CONNECT, LAST},
        .examples = {{"reeve top", "see what the database does now"}, {"reeve top --interval 10s", "ask it less often"},
                     {"reeve top | head -20", "one page of text"}}},
    {.name = "serve", .section = SECTION_LOOK,
        .summary = "serve the dashboard: pages that show and steer the work",
        .about = "Without --login, the address that is printed lets its reader in, once, on this machine only. With --login password,"
                 " viewers log in as roles of the database and may do what these roles may do. The login of the server itself needs the"
                 " role queues_dashboard.",
        .function = cmd_serve,
        .keys = {CONFIG_LISTEN, CONFIG_LOGIN, CONFIG_BASE_URL, CONFIG_READ_ONLY, CONFIG_TLS_CERTIFICATE, CONFIG_TLS_KEY, CONFIG_PROXY,
            CONFIG_PROXY_HEADER, CONFIG_PROXY_ROLE, CONFIG_PROXY_SECRET, CONFIG_SESSION_LENGTH, CONFIG_RECHECK, CONFIG_METRICS, CONNECT,
            LOG, LAST},
        .examples = {{"reeve serve", "open the printed address in a browser of this machine"},
                     {"reeve serve --login password --listen 0.0.0.0:8443 --base-url https://ops.example.com:8443"
                      " --tls-certificate chain.pem --tls-key key.pem", "for others, with logins of the database"},
                     {"reeve serve --login password --proxy 10.0.0.2 --listen 10.0.0.7:8080 --base-url https://ops.example.com/reeve",
                         "behind a proxy that has the certificate"},
                     {"reeve serve --read-only", "show, and change nothing"}}},
    {.name = "metrics", .section = SECTION_MEASURE,
        .summary = "export figures of the whole database for Prometheus",
        .function = cmd_metrics, .keys = {CONFIG_LISTEN, CONNECT, LOG, LAST},
        .examples = {{"reeve metrics --listen 127.0.0.1:9465", "then: curl http://127.0.0.1:9465/metrics"}}},
    {.name = "health", .operands = "[PATH]", .section = SECTION_MEASURE,
        .summary = "ask a worker on this machine how it is",
        .about = "For health checks of containers. The worker has been started with --listen. PATH is one of its pages; the default is"
                 " /readyz. The exit code is 0 if the answer has status 200, otherwise 1.",
        .function = cmd_health, .keys = {CONFIG_LISTEN, LAST},
        .examples = {{"reeve health --listen 127.0.0.1:9464", "can the worker work, and if not, why?"},
                     {"reeve health /livez", "does its loop turn?"}}},
    {.name = "metrics list", .section = SECTION_MEASURE,
        .summary = "list the metrics of this program as a table",
        .function = cmd_metrics_list, .keys = {LAST},
        .examples = {{"reeve metrics list", "names, kinds and meanings, as a table for a page"}}},
    {.name = "bench", .section = SECTION_MEASURE,
        .summary = "measure claims and throughput in a scratch database",
        .about = "The scratch database is dropped at the end, also after Ctrl-C. The histories have a hundred times as many tasks as --tasks says, a million at most.",
        .function = cmd_bench, .keys = {CONFIG_TASKS, CONFIG_CONCURRENCY, CONNECT, LAST},
        .examples = {{"reeve bench --tasks 10000", "a quick look"}}},
};
/* clang-format on */
const int command_count = (int)LENGTH(commands);

const char *
command_section_title(enum command_section section)
{
    static const char *const titles[SECTION_COUNT] = {
        [SECTION_SETUP] = "Set up and check",
        [SECTION_RUN] = "Run tasks",
        [SECTION_LOOK] = "Look and act",
        [SECTION_RULES] = "Register and protect",
        [SECTION_MEASURE] = "Measure",
    };

    return titles[section];
}

bool
command_is_of(const struct command *command, const char *noun)
{
    size_t length = strlen(noun);

    return strncmp(command->name, noun, length) == 0 && command->name[length] == ' ';
}

const struct command *
command_find(int count, char **words, int *ret_words)
{
    /* Two words first: "metrics list" is a command, and "metrics" is another one. */
    for (int i = 0; i < command_count && count > 1; i++) {
        if (command_is_of(&commands[i], words[0]) && strcmp(commands[i].name + strlen(words[0]) + 1, words[1]) == 0) {
            *ret_words = 2;
            return &commands[i];
        }
    }
    for (int i = 0; i < command_count && count > 0; i++) {
        if (strcmp(commands[i].name, words[0]) == 0) {
            *ret_words = 1;
            return &commands[i];
        }
    }
    return NULL;
}

const struct noun *
command_noun(const char *name)
{
    for (int i = 0; i < noun_count; i++) {
        if (strcmp(nouns[i].name, name) == 0)
            return &nouns[i];
    }
    return NULL;
}

void
command_operands(const struct command *command, int *ret_min, int *ret_max)
{
    *ret_min = 0;
    *ret_max = 0;
    for (const char *word = command->operands; word != NULL && *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");

        if (strncmp(word, "...", 3) == 0) {
            *ret_max = CONFIG_POSITIONALS;
        } else if (strncmp(word, "--", length) != 0) {
            *ret_min += *word != '[';
            *ret_max += 1;
        }
        word += length;
    }
}

int
command_run(const struct command *command, const struct config *config)
{
    return (command->function == NULL ? cmd_sql : command->function)(command, config);
}

void
command_print_all(FILE *to)
{
    for (int i = 0; i < command_count; i++) {
        const struct command *command = &commands[i];

        (void)fprintf(to, "%s|%s|%s|", command->name, command->operands == NULL ? "" : command->operands, command->summary);
        for (const enum config_key *key = command->keys; *key != CONFIG_COUNT; key++) {
            if (option_rows[*key].flag != NULL)
                (void)fprintf(to, "%s--%s", key == command->keys ? "" : " ", option_rows[*key].flag);
        }
        (void)fputc('\n', to);
    }
}

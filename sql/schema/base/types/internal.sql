-- Types that only engine functions use.

-- Attributes of a task beyond type, payload, time, queue and priority.
create type internal.task_extras as (
    dedup_key        text,
    max_crashes      smallint,
    timeout          interval,
    on_in_doubt      text,
    idempotency_key  text,
    parent_id        bigint,
    depth            integer,
    retry_of         bigint,
    max_attempts     smallint,
    backoff          jsonb
);
comment on type internal.task_extras is 'Optional attributes of a task to be added.';

-- A command to be added (internal.enqueue_command to internal.insert_command).
create type internal.command_task as (
    queue        text,
    queue_id     integer,
    type_id      smallint,
    payload      jsonb,
    at           timestamptz,
    priority     bigint,
    max_crashes  smallint,
    dedup_key    text,
    parent_id    bigint,
    depth        integer,
    is_blocked   boolean,
    merge_call   text,
    max_attempts smallint,
    backoff      jsonb
);
comment on type internal.command_task is 'A task of a command, to be added.';

-- The rules for a task of one type in one queue (internal.enqueue_rule).
create type internal.task_rule as (
    adapter            text,
    type_id            smallint,
    queue              text,
    queue_id           integer,
    is_indirect        boolean,
    max_payload_bytes  integer,
    notify             boolean,
    kind               text
);
comment on type internal.task_rule is 'Rules for a task of a type in a queue.';

-- The meaning of an answer of a function or handler (internal.read_envelope).
create type internal.verdict as (
    outcome     text,
    status      text,
    error       text,
    is_success  boolean
);
comment on type internal.verdict is 'Meaning of an envelope: outcome and status of the task, text of the error.';

-- How many calls of each destination a claim may take (internal.claim_limits to internal.claim_groups).
create type internal.claim_limits as (
    destinations      text[],
    rooms             integer[],
    retry_rooms       integer[],
    other_room        integer,
    other_retry_room  integer,
    shared_room       integer,
    skipped           text[],
    skipped_retries   text[],
    skips_unknown     boolean
);
comment on type internal.claim_limits is 'How many calls of each destination a claim may take.';

-- One queue and priority as a range of the ready index (queues.claim).
create type internal.lane as (
    queue_id       integer,
    priority       bigint,
    starts_at      timestamptz,
    room           integer,
    only_children  boolean,
    begun_first    boolean,
    after_id       bigint,
    only_top       boolean
);
comment on type internal.lane is 'A range of the ready index from which a claim may take some rows.';

-- The end of one run of database work (queues.execute_batch to internal.end_execute).
create type internal.run_end as (
    task_id         bigint,
    lease_no        integer,
    outcome         text,
    status          text,
    error           text,
    error_sqlstate  text,
    error_source    text,
    handler_error   text,
    result          jsonb,
    started_at      timestamptz,
    process_id      bigint,
    facts           jsonb,
    enqueued        integer,
    has_raised      boolean,
    is_final        boolean,
    retry_after     interval
);
comment on type internal.run_end is 'The end of one run: outcome, errors, and for a supervisor the facts it saw and the tasks it enqueued.';

-- The end of one attempt, for the decision whether the work is retried (internal.retry_tasks).
create type internal.attempt_end as (
    task_id      bigint,
    lease_no     integer,
    outcome      text,
    status       text,
    is_final     boolean,
    retry_after  interval
);
comment on type internal.attempt_end is 'The end of one attempt: is_final excludes a retry, retry_after replaces the wait of the policy.';

-- The next step of queues.finish, once the fence has been passed (internal.begin_finish).
create type internal.finish_step as (
    answer         text,
    outcome        text,
    status         text,
    result         jsonb,
    error          text,
    error_class    text,
    handler        text,
    handler_kind   text,
    handler_input  jsonb,
    fail_hook      text
);
comment on type internal.finish_step is 'The handler to run and the end to record, or the answer if there is nothing to do.';

-- The next step of queues.begin_dispatch, once the fence has been passed.
create type internal.dispatch_step as (
    decision        text,
    adapter         text,
    payload         jsonb,
    before_handler  text,
    error           text,
    timeout         interval,
    hooks           jsonb,
    sends_payload   boolean
);
comment on type internal.dispatch_step is 'The before handler to call, or the decision if there is nothing to do.';

-- A run of an HTTP job that may be sent.
create type internal.begun_run as (
    task_id          bigint,
    decision         text,
    request          jsonb,
    body             text,
    secrets          jsonb,
    idempotency_key  text,
    timeout          interval,
    traceparent      text
);
comment on type internal.begun_run is 'The request of a run of a job, or the fact that the run has ended.';

-- One leased command, with everything that its run needs (internal.load_command).
create type internal.command_run as (
    worker_id     uuid,
    task_id       bigint,
    lease_no      integer,
    command       text,
    payload       jsonb,
    call          text,
    has_info      boolean,
    after_call    text,
    status_type   text,
    is_ended      boolean,
    has_merges    boolean,
    before_call   text,
    parent_id     bigint
);
comment on type internal.command_run is 'A leased command and the routines to call for it.';

-- A cron expression (internal.parse_cron).  A mask has one character for each value, from the smallest; 1: the value matches.
create type internal.cron as (
    seconds    text,
    minutes    text,
    hours      text,
    days       text,
    months     text,
    weekdays   text,
    nths       text,
    is_last    boolean,
    is_hourly  boolean,
    is_either  boolean
);
comment on type internal.cron is 'A cron expression as masks; is_last: the last day of the month, is_hourly: the hour follows real time, is_either: the day of month or the day of week.';

-- When a schedule fires (internal.next_slot): a cron expression, or an interval and its anchor.
create type internal.plan as (
    cron       internal.cron,
    every      interval,
    anchor     timestamptz,
    zone       text,
    starts_at  timestamptz,
    ends_at    timestamptz,
    excluded   date[]
);
comment on type internal.plan is 'The times of a schedule.';

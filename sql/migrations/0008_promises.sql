-- 0008_promises: what closes the holes that attackers, faults and awkward users found.
-- Locks: ready and running exclusively, one after the other, for a moment each; task and fact tables that get a trigger, likewise.
-- The old functions work with the new tables and columns: they name the columns that they write, and read none of the new ones.

-- Functions whose signature or place has changed go, and views that new functions need in their new form; the new ones come with
-- the functions.
drop view if exists internal.expected_ready, internal.expected_running, internal.open_task;
drop function if exists internal.end_parents(bigint[], boolean);
drop function if exists internal.end_parent(bigint, text, text);
drop function if exists internal.run_registered(text, text, jsonb);
drop function if exists internal.command_call(text, text);
drop function if exists internal.is_facts_call(text);
drop function if exists internal.ids_of_process(bigint);
drop function if exists internal.job_function(bigint);
drop function if exists internal.seal_secret(uuid, uuid, text, text);
drop function if exists internal.require_position(text, text);
drop function if exists internal.run_job(text, jsonb);
drop function if exists internal.read_facts(bigint, text);
drop function if exists internal.call_handler(text, text, jsonb);
drop function if exists internal.call_error_handler(jsonb, text, boolean, jsonb);
drop function if exists internal.judge_run(internal.run_end, jsonb, jsonb, text);
drop function if exists internal.run_task(bigint, integer, jsonb, text, boolean, bigint, text, text, boolean);
drop function if exists internal.run_command(internal.command_run, text, boolean);
drop function if exists internal.run_hook(text, text, text, jsonb, boolean);
drop function if exists internal.begin_execute(uuid, bigint[], integer[]);
drop function if exists internal.recorded_end(bigint);
drop function if exists internal.cancel_requests(bigint[]);

-- Whoever may only enqueue does not choose what is removed.
update worker.command_registry set enqueuers = '{queues_operator}' where command = 'task_cleanup' and enqueuers is null;

-- Retention marks its transaction in a table, not in a setting.
create table internal.pruning (
    xact  xid8 not null,
    constraint pruning_pkey primary key (xact)
);
comment on table internal.pruning is 'The transaction in which retention removes facts right now.';

-- Secrets have a record: who may name them, and where they may go.
create table internal.allowed_secret (
    secret_name  text not null,
    hosts        text[] not null,
    roles        name[] not null,
    uses         text[] not null,
    added_at     timestamptz not null,
    added_by     text not null,
    constraint allowed_secret_pkey primary key (secret_name)
);
comment on table internal.allowed_secret is 'Secrets that tasks and jobs may name, for whom and for which hosts.';
comment on column internal.allowed_secret.hosts is
    'host (https, port 443), host:port, *.suffix, *.suffix:port, / for edge functions; * for all, if it only signs.';
comment on column internal.allowed_secret.roles is 'Roles whose members may name it.';
comment on column internal.allowed_secret.uses is 'header: its value is sent; sign: it makes a signature.';

comment on column queues.error.source is
    'function, before_handler, provider, success_handler, error_handler, before_procedure, after_procedure, supervisor, facts_function, engine or client.';
-- Destinations of calls: what is a retry stands in a column of its own, and limits of a claim are typed.
alter table queues.ready add column is_retry boolean;
alter table queues.running add column is_retry boolean;
comment on column queues.ready.is_retry is 'True: a run of a job that has failed before. Else null.';
comment on column queues.ready.destination is 'Peer of a call: host and port, /channel for the provider of a worker, / for edge functions. Null: none, or not known yet.';
comment on column queues.running.is_retry is 'As in queues.ready.';
-- From when a lease counts: after the server's clock was set back, that is in the future.
alter table queues.running add column renewed_at timestamptz;
comment on column queues.running.renewed_at is 'When its end was last moved; null: never, it counts from leased_at.';
update queues.ready set destination = substr(destination, 7), is_retry = true where destination like 'retry %';
update queues.running set destination = substr(destination, 7), is_retry = true where destination like 'retry %';
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
drop function if exists queues.claim_batch(uuid, text[], text[], integer, interval, jsonb, text[], boolean);
drop function if exists internal.claim_for(integer, text[], text[], integer, interval, jsonb, text[], boolean, boolean);
drop function if exists internal.claim_groups(integer, text[], text[], integer, interval, jsonb, text[], boolean, boolean, boolean);
drop function if exists internal.claim_lanes(integer, integer, integer, smallint[], text[], boolean, jsonb, timestamptz, timestamptz, integer);
drop function if exists internal.share_limit(internal.lane[], smallint[], text[], boolean, timestamptz, integer);
drop function if exists internal.share_bound(internal.lane[], smallint[], text[], boolean, timestamptz, integer);
drop function if exists internal.within_destinations(tid[], text[]);
drop function if exists queues.begin_dispatch_batch(uuid, bigint[], integer[]);
drop function if exists internal.note_dispatches(uuid, bigint[], integer[], text[]);
-- Statements of users may be in the midst of these when the functions change.
drop routine if exists internal.require_plain_casts(oid);
drop routine if exists internal.absorb(integer, text, text, jsonb, timestamptz, bigint);
drop routine if exists internal.close_parents(bigint[], boolean);

-- 0010_next: what a next release might do, with every kind of step.  Made for the tests of migrations (test/upgrade/make_next).
-- Locks: task, ready, running, task_lease, task_completed and registered_task_type exclusively, one after the other, for a moment each.

-- Hot tables.  The old functions know nothing of these columns.
alter table queues.task add column enqueued_with text;
comment on column queues.task.enqueued_with is 'The release that enqueued it; null: the one before.';
do $$
begin
    lock table queues.ready in access exclusive mode;
    alter table queues.ready add column is_known boolean;
    alter table queues.ready add constraint known_is_true check (is_known);
end
$$;
alter table queues.running add column is_known boolean;
alter table queues.task_lease add column leased_with text;
alter table queues.task_completed add column completed_with text;
alter table queues.registered_task_type drop constraint max_crashes_in_range;
alter table queues.registered_task_type add constraint max_crashes_in_range check (max_crashes between 1 and 2000);
create table queues.next_fact (
    fact_id  bigint generated always as identity,
    said_at  timestamptz not null,
    constraint next_fact_pkey primary key (fact_id)
);
comment on table queues.next_fact is 'A table that is new.';
-- module: comms
alter table comms.message add column sent_with text;
create table comms.next_message (message_id bigint not null);
comment on table comms.next_message is 'A table of a module that is new.';
-- end of module

-- These views need the function below; they are made again with the functions.
drop view if exists internal.expected_ready, internal.expected_running, internal.open_task;
-- It has one more argument, with a default: calls would be ambiguous beside it, and the new one takes them.
drop function if exists internal.call_destination(text, jsonb);
-- It has one more argument, without a default: statements under way may still call the old one.
drop function if exists internal.check_payload(jsonb, integer);
-- It has another name: likewise.
drop function if exists internal.absorb(integer, smallint, text, text, jsonb, timestamptz, bigint);
alter type internal.task_extras add attribute enqueued_with text;
-- What waits was enqueued by the release before.
update queues.ready set is_known = true where is_known is null;

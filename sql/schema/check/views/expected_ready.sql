-- internal.expected_ready
-- The ready rows that the facts imply.
create or replace view internal.expected_ready as
select o.task_id, o.queue_id, o.priority,
       coalesce(o.changed_at, o.retry_at, case when o.is_serial then timestamptz 'infinity' end, o.scheduled_at) as available_at,
       o.type_id, o.lease_no,
       case when o.how = 'handler_failed' or (o.how in ('expired', 'abandoned', 'released', 'retry') and (
                     select true from queues.task_lease_ended as x where x.task_id = o.task_id and x.outcome is not null limit 1))
            then 'h'::"char"
            -- A parent whose children have ended runs its hook; otherwise it waits for them.
            when o.is_handled and (o.how <> 'waiting' or o.changed_at is not null and o.changed_for = 'children_ended') then 'h'
            when o.how = 'waiting' then 'w'
            when o.lease_no = 0 and o.is_serial and o.changed_at is null then 'b' end as phase,
       o.crash_count, o.retry_count, o.handler_failures, o.max_crashes, o.is_supervisor_run, o.process_id, o.parent_id, o.timeout,
       o.dedup_key,
       p.payload,
       coalesce(o.destination, internal.call_destination(o.adapter, coalesce(p.payload, o.first_payload))) as destination,
       -- The payload of a command is not folded here: a merge function is user code, and a view must not run user code.
       p.payload is null and o.merged is true as has_merges, o.first_payload, o.is_retry
from internal.open_task as o
cross join lateral (select coalesce(o.folded_payload, o.leased_payload,
    case when o.merged and o.adapter <> 'command' then internal.joined_payload(o.task_id, o.first_payload) end)) as p(payload)
where o.lease_no = 0 or o.how is not null;
comment on view internal.expected_ready is 'The ready rows that the facts imply.';

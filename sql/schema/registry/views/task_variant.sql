-- internal.task_variant
-- The variants of task types: one select per type that has a variant_key.  statement: the call, with $1 for the payload and, if it
-- takes one, $2 for an empty object.  is_plain: a run consists of that call alone.  is_prepared: a step of its own comes first.
create or replace view internal.task_variant as
select y.type_id, c.command as variant, c.handler_call as statement, c.handler_call not like 'call %($1)' as has_answer,
       c.handler_call is not null and c.after_call is null and c.status_type is null as is_plain,
       c.before_call is not null or c.status_type is not null as is_prepared, c.timeout, c.enqueuers, c.queue
from worker.command_registry as c
join queues.registered_task_type as y on y.task_type = 'command';
comment on view internal.task_variant is 'Variants of task types, with the call and the rules of each.';

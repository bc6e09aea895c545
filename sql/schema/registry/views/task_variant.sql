-- internal.task_variant
-- What a type knows of its variants: one select per type that has a variant_key.  statement: the call, with $1 for the payload
-- and $2 for an empty object where it takes one; is_plain: nothing but that call belongs to a run; is_prepared: a step of its
-- own comes first.
create or replace view internal.task_variant as
select y.type_id, c.command as variant, c.handler_call as statement, c.handler_call not like 'call %($1)' as has_answer,
       c.handler_call is not null and c.after_call is null and c.status_type is null as is_plain,
       c.before_call is not null or c.status_type is not null as is_prepared, c.timeout, c.enqueuers, c.queue
from worker.command_registry as c
join queues.registered_task_type as y on y.task_type = 'command';
comment on view internal.task_variant is 'Variants of task types: how each is called, prepared and limited.';

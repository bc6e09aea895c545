begin;
select plan(4);
create temp table keyed as select w.what, w.key, test.enqueue_email(w.more, _key => w.task_key) as id from (values
    ('before handler', 'k-before', '{"idempotency_key": "k-payload", "request": {"from_address": "a", "to_address": "b", "subject": "s", "html": "h", "idempotency_key": "k-before"}}'::jsonb, 'k-task'),
    ('task', 'k-task', '{"idempotency_key": "k-payload"}', 'k-task'),
    ('task payload', 'k-payload', '{"idempotency_key": "k-payload"}', null),
    ('task uuid', null, '{}', null)) as w(what, key, more, task_key);
select test.dispatch(id) from keyed;
select is(d.idempotency_key, coalesce(k.key, t.task_uuid::text), k.what)
from keyed as k join queues.task_dispatched as d on d.task_id = k.id join queues.task as t on t.task_id = k.id;
select * from finish();
rollback;

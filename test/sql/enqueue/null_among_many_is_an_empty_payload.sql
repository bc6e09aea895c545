begin;
select plan(1);
select queues.enqueue_many('http', array[null, '{"a": 1}']::jsonb[]);
select is((select array_agg(t.payload::text order by t.task_id) from queues.task as t), array['{}', '{"a": 1}'], 'as with a single task');
select * from finish();
rollback;

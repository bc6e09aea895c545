begin;
select plan(4);
select array_agg(i order by n) as ids from queues.enqueue_many('http',
    (select array_agg(jsonb_build_object('n', g) order by g) from generate_series(1, 100) as g)) with ordinality as e(i, n) \gset
select is((select array_agg((payload->>'n')::integer order by o.n) from unnest(:'ids'::bigint[]) with ordinality as o(id, n)
           join queues.task as t on t.task_id = o.id), (select array_agg(g) from generate_series(1, 100) as g), 'ids follow the payloads');
select is((select count(*) from queues.ready where task_id = any(:'ids'::bigint[])), 100::bigint, 'all wait');
select is((select count(distinct task_uuid) from queues.task where task_id = any(:'ids'::bigint[])), 100::bigint, 'each has its own name');
select is((select count(*) from queues.enqueue_many('http', '{}')), 0::bigint, 'an empty array adds nothing');
select * from finish();
rollback;

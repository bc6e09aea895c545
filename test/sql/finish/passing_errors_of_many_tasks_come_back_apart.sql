begin;
select plan(2);
create temp table many as select test.enqueue() as id from generate_series(1, 8);
select is((select count(*) from many where queues.finish(test.worker(), id, test.lease(id), 'transient', null, 'deadlock') = 'retry'), 8::bigint,
          'each is repeated');
select cmp_ok((select count(distinct e.retry_at - e.ended_at) from queues.task_lease_ended as e join many as m on m.id = e.task_id), '>', 1::bigint,
          'after different waits');
select * from finish();
rollback;

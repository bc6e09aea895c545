begin;
select plan(2);
select count(*) from queues.enqueue_many('db_function', array_fill('{"db_function": "test.raises"}'::jsonb, array[200]), _max_attempts => 2,
                                         _backoff => '{"base": 100, "jitter": 0.5}');
select count(test.run(task_id)) from queues.task;
select is((select count(*) from queues.ready), 200::bigint, 'all of them wait');
select ok((select max(n) < 50 from (select count(*) as n from queues.ready group by floor(extract(epoch from available_at) / 10)) as b),
          'no ten seconds of a hundred have a quarter of them');
select * from finish();
rollback;

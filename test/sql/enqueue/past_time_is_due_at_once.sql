begin;
select plan(2);
select queues.enqueue('http', '{}', '2001-01-01+00') as id \gset
select is((select available_at from queues.ready where task_id = :id), '2001-01-01+00'::timestamptz, 'the time is kept');
select is((select task_id from queues.claim(test.worker())), :id, 'it is handed out');
select * from finish();
rollback;

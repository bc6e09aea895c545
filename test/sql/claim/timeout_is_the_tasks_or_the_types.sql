begin;
select plan(2);
select queues.enqueue('http', '{}', _timeout => '7 s') as own \gset
select is((select timeout from queues.claim(test.worker())), interval '7 seconds', 'the task''s');
select queues.enqueue('http', '{}');
select is((select timeout from queues.claim(test.worker())), interval '60 seconds', 'the type''s');
select * from finish();
rollback;

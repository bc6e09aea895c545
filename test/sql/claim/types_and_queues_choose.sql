begin;
select plan(5);
select queues.enqueue('http', '{}', _queue => 'default') as http \gset
select test.enqueue() as fn \gset
select is((select task_id from queues.claim(test.worker(), array['default'], array['db_function'])), :fn, 'the type asked for');
select is((select count(*) from queues.claim(test.worker(), array['email'])), 0::bigint, 'another queue');
select is((select count(*) from queues.claim(test.worker(), null, array['sms'])), 0::bigint, 'another type');
select is((select count(*) from queues.claim(test.worker(), null, array['no_such_type'])), 0::bigint, 'an unknown type');
select is((select mode from queues.claim(test.worker())), 'dispatch', 'a channel task is dispatched');
select * from finish();
rollback;

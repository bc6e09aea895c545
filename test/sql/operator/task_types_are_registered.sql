begin;
select plan(10);
select queues.register_task_type('fax', 'http', 'http', true, '5 s', 2::smallint, 'fail', 'paper');
select is((select (adapter, default_queue, before_required, timeout, max_crashes, on_in_doubt, description)::text from queues.registered_task_type where task_type = 'fax'),
          '(http,http,t,00:00:05,2,fail,paper)', 'a new type');
select queues.enqueue('fax', '{}');
select is((select mode from queues.claim(test.worker(), null, array['fax'])), 'dispatch', 'is claimed as a channel');
select lives_ok($$select queues.register_task_type('email', 'email', 'default', false)$$, 'a built-in type may be changed');
select throws_ok($$select queues.register_task_type('email', 'sms')$$, '22023', null, 'but not its adapter');
select throws_ok($$select queues.register_task_type('Fax', 'http')$$, '22023', null, 'name not of its form');
select throws_ok($$select queues.register_task_type('fax2', 'pigeon')$$, '22023', null, 'unknown adapter');
select throws_ok($$select queues.register_task_type('fax2', 'http', 'nowhere')$$, '23503', null, 'unknown queue');
select throws_ok($$select queues.register_task_type(null, 'http')$$, '22004', null, 'no name');
select throws_ok($$select queues.register_task_type('fax2', 'http', _max_crashes => 0::smallint)$$, '22023', null, 'max_crashes 0');
select throws_ok($$select queues.register_task_type('fax2', 'http', _on_in_doubt => 'x')$$, '22023', null, 'unknown policy');
select * from finish();
rollback;

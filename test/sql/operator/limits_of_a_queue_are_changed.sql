begin;
select plan(7);
select queues.create_queue('fresh', 3, 2, 'for a test');
select queues.set_queue('fresh', 5);
select results_eq($$select max_running, top_level_limit, description from queues.queue where queue = 'fresh'$$,
    $$values (5, 2, 'for a test')$$, 'what is null stays');
select queues.set_queue('fresh', _top_level_limit => 0, _description => 'other');
select results_eq($$select max_running, top_level_limit, description from queues.queue where queue = 'fresh'$$,
    $$values (5, null::integer, 'other')$$, '0 removes a limit');
select is((select count(*)::integer from queues.audit where action = 'change_queue' and object = 'fresh'), 2, 'each change is audited');
select throws_ok($$select queues.set_queue('fresh', -1)$$, '22023', null, 'a limit is not negative');
select throws_ok($$select queues.set_queue('no_such_queue', 1)$$, '23503', null, 'the queue must exist');
select throws_ok($$select queues.set_queue('fresh', _description => repeat('x', 2000))$$, '54000', null, 'the description has a bound');
select is(has_function_privilege('queues_operator', 'queues.set_queue(text, integer, integer, text)', 'execute'), false, 'for administrators only');
select * from finish();
rollback;

begin;
select plan(4);
set local client_min_messages = error;
select worker.register_command('x', 'test.plain', 'default', 'test.hook_before', 'test.hook_after', 'one', '{a}', 'skip', p_timeout => '1 min', p_status_type => 's');
select worker.register_command('x', 'test.act', 'maintenance');
select results_eq($$select handler_procedure, queue, before_procedure, after_procedure, description, dedup_keys, dedup_policy, timeout, status_type from worker.command_registry where command = 'x'$$,
    $$values ('test.act', 'maintenance', null::text, null::text, null::text, null::text[], 'merge', null::interval, null::text)$$, 'nothing of the old one is left');
select is((select before_call from worker.command_registry where command = 'x'), null, 'nor its calls');
select is((select handler_call from worker.command_registry where command = 'x'), 'call test.act($1, $2)', 'the call comes from the catalog');
select is((select count(*) from queues.audit where action = 'register_command' and object = 'x'), 2::bigint, 'both are written down');
select * from finish();
rollback;

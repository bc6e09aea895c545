begin;
select plan(9);
select test.enqueue(_at => now() - interval '3 seconds') as first \gset
select test.enqueue(_at => now() - interval '2 seconds') as second \gset
select is((select task_id from queues.claim_next(test.worker(), 'default', 0, '-infinity', '{db_function}', '60 s', 'a')), null,
          'nothing for a session that is no holder yet');
select internal.this_holder(test.worker());
create temp table got as select * from queues.claim_next(test.worker(), 'default', 0, '-infinity', '{db_function}', '60 seconds', 'a');
select is((select (task_id, lease_no, task_type, timeout_ms, is_more)::text from got), format('(%s,1,db_function,3600000,t)', :first),
          'the first, and that there is more');
select is((select last_at from got), (select scheduled_at from queues.task where task_id = :first), 'with its time');
select is(test.place(:first), 'running', 'it is in running alone');
select is((select expires_at - leased_at from queues.task_lease where task_id = :first and lease_no = 1), interval '60 seconds', 'one lease fact');
select results_eq($$select current_setting('reeve.next_' || s) from unnest(array['token', 'task_id', 'lease_no', 'timeout_ms']) as s$$,
                  array['a', :'first', '1', '3600000'], 'the session remembers it');
select is((select (task_id, is_more)::text from queues.claim_next(test.worker(), 'default', 0, '-infinity', '{db_function}', '60 s', 'b')),
          format('(%s,f)', :second), 'then the second, and no more');
select is((select outcome from internal.run_one(test.worker(), :first, 1)), 'succeeded', 'it runs');
select is(test.violations(), '', 'in good order');
select * from finish();
rollback;

begin;
select plan(3);
select worker.enqueue('act', '{"mode": "serial", "children": [{"n": 1}, {"n": 2}]}') as id \gset
select test.run_command(:id);
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 1::bigint, 'one child runs');
select worker.spawn('act', '{"n": 3}', :id, p_priority => -1) as more \gset
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'one more child gives nobody a turn');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;

begin;
select plan(2);
select test.enqueue(_at => now() - interval '1 s', _more => '{"n": 2}'), test.enqueue(_at => now() - interval '2 s', _more => '{"n": 1}'),
       test.enqueue(_priority => -1, _more => '{"n": 0}'), test.enqueue(_at => now() + interval '1 hour', _more => '{"n": 9}');
call worker.process_tasks();
select is((select array_agg(detail->>'n' order by effect_id) from test.effect), array['0', '1', '2'], 'priority, time; not the future one');
select is((select count(*) from queues.ready), 1::bigint, 'which waits');
select * from finish();
rollback;

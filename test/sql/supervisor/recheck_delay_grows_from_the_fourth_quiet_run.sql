begin;
select plan(2);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select test.run_ticks(:process, 12);
select is((select array_agg(extract(epoch from (detail->>'delay')::interval)::integer order by effect_id) from test.effect where what = 'supervise'),
          array[10, 10, 10, 10, 20, 40, 80, 160, 320, 640, 900, 900], 'base, doubled, capped at 15 minutes');
select is(queues.recheck_delay(5, 1), interval '10 seconds', 'outside a run there are no quiet runs');
select * from finish();
rollback;

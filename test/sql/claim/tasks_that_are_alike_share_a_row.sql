begin;
select plan(8);
select count(queues.create_queue('other'));
-- Between the queues the order changes with every task; one of them has killed a holder before.
select array_agg(test.enqueue(_more => jsonb_build_object('n', n), _at => now() - make_interval(secs => 10 - n),
                              _queue => case when n % 2 = 0 then 'other' else 'default' end) order by n) as ids
from generate_series(1, 6) as n \gset
update queues.ready set crash_count = 1, lease_no = 1 where task_id = (:'ids'::bigint[])[3];
create temp table taken as select * from queues.claim_batch(test.worker(), _limit => 10);
select is((select count(*) from taken), 3::bigint, 'a row for each kind');
select is((select sum(cardinality(task_ids)) from taken), 6::bigint, 'and all of the tasks');
select is((select array_agg(i.id order by i.place) from taken, unnest(task_ids, places) as i(id, place)), :'ids'::bigint[],
          'places are the order of claims');
select is((select array_agg(i.place order by i.place) from taken, unnest(places) as i(place)), array[1, 2, 3, 4, 5, 6],
          'from one, without gaps');
select is((select (crash_count, run_alone, task_ids, lease_nos)::text from taken where crash_count > 0),
          format('(1,t,{%s},{2})', (:'ids'::bigint[])[3]), 'what differs has a row of its own');
select is((select bool_and(last_at = (select max(t.scheduled_at) from queues.task as t where t.task_id = any(task_ids))) from taken),
          true, 'the time of the last one');
select is((select count(*) from queues.running), 6::bigint, 'all are leased');
select throws_ok('select queues.claim_batch(null)', '22004', null, 'a worker says who it is');
select * from finish();
rollback;

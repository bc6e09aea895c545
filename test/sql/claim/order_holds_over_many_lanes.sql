-- With many lanes a claim looks for a bound first; what it takes is the same.
begin;
select plan(4);
select queues.create_queue('q' || q) from generate_series(1, 5) as q;
select queues.create_queue('two', 2);
-- Dense lanes beside thin ones, and times that are mixed.
select test.enqueue(_at => now() - make_interval(secs => (q * 37 + p * 11 + n * 53) % 101), _queue => 'q' || q, _priority => p)
from generate_series(1, 5) as q, generate_series(1, 4) as p, generate_series(1, case when q = 2 then 40 else 3 end) as n;
create temp table wanted as
select row_number() over (order by r.priority, r.available_at, r.task_id) as n, r.task_id from queues.ready as r;
create temp table taken (n serial, task_id bigint);
create function pg_temp.claim_all(_limit integer) returns integer language plpgsql as $$
declare
    _count integer := 0;
begin
    loop
        insert into taken (task_id) select c.task_id from queues.claim(test.worker(), _limit => _limit) as c;
        exit when not found;
        _count := _count + 1;
    end loop;
    return _count;
end
$$;
savepoint all_ready;
select is(pg_temp.claim_all(7), 30, '208 tasks by 7');
select is((select count(*) from wanted as w full join taken as t using (n) where w.task_id is distinct from t.task_id), 0::bigint,
          'all of them, in order');
rollback to all_ready;
select test.enqueue(_at => now() - interval '200 s', _queue => 'two', _priority => p % 5) from generate_series(1, 10) as p;
create temp table first as select c.task_id, c.queue from queues.claim(test.worker(), _limit => 30) as c;
select is((select array_agg(r.priority order by r.priority) from queues.running as r join first using (task_id) where queue = 'two'),
          array[0, 0]::bigint[], 'of a queue with a limit its most urgent two');
select set_eq($$select task_id from first where queue <> 'two'$$, $$select task_id from wanted where n <= 28$$, 'and the first of all others');
select * from finish();
rollback;

begin;
select plan(7);
select test.enqueue() as good \gset
select test.enqueue('test.raises') as bad \gset
select test.enqueue('test.raises', '{"sqlstate": "40001"}') as passing \gset
select test.enqueue() as lost \gset
select test.lease(:good), test.lease(:bad), test.lease(:passing);
-- Time is short in a batch: what has no row in the answer is asked for again.
create temp table answer (task_id bigint, outcome text, status text, error text, sqlstate text);
create function pg_temp.ask(_ids bigint[]) returns void language plpgsql as $$
begin
    for _i in 1 .. 20 loop
        insert into answer select b.task_id, b.outcome, b.status, b.error, b.sqlstate from queues.execute_batch(test.worker(),
            (select array_agg(i) from unnest(_ids) as i where i not in (select a.task_id from answer as a)),
            (select array_agg(1) from unnest(_ids) as i where i not in (select a.task_id from answer as a))) as b;
        exit when (select count(*) from answer) >= cardinality(_ids);
    end loop;
end $$;
select pg_temp.ask(array[:good, :bad, :passing, :lost]::bigint[]);
select is((select outcome from answer where task_id = :good), 'succeeded', 'one succeeds');
select is((select (outcome, sqlstate)::text from answer where task_id = :bad), '(failed,P0001)', 'one fails');
select is((select (outcome, sqlstate)::text from answer where task_id = :passing), '(retry,40001)', 'one met a passing error');
select is((select sqlstate from answer where task_id = :lost), 'QU002', 'one is not held');
select is(test.place(:passing), 'ready', 'it waits for its next try');
select is((select how from queues.task_lease_ended where task_id = :passing), 'retry', 'its lease ended so');
select throws_ok($$select queues.execute_batch(test.worker(), array[1]::bigint[], array[1, 2])$$, '22023', null, 'arrays of different length');
select * from finish();
rollback;

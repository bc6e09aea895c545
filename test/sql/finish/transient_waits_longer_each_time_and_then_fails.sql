begin;
select plan(7);
select test.enqueue() as id \gset
create temp table wait (n integer, answer text, ms numeric);
do $$
declare
    _id bigint := (select max(task_id) from queues.task);
    _lease integer;
    _answer text;
begin
    for _n in 1 .. 11 loop
        _lease := test.lease(_id);
        _answer := queues.finish(test.worker(), _id, _lease, 'transient', null, 'deadlock');
        insert into wait select _n, _answer, (select (extract(epoch from e.retry_at - e.ended_at) * 1000)::numeric from queues.task_lease_ended as e
                                              where e.task_id = _id and e.lease_no = _lease);
    end loop;
end
$$;
select is((select count(*) from wait where answer = 'retry' and n <= 10), 10::bigint, 'ten retries');
select is((select answer from wait where n = 11), 'completed', 'then it is over');
select is(test.outcome(:id), 'failed', 'as failed');
select is(test.errors(:id), 1::bigint, 'one error fact');
select is((select count(*) from wait where n <= 8 and ms between 100 * power(2, n - 1) and 100 * power(2, n - 1) + 50), 8::bigint, '100 ms doubled, with jitter');
select is((select max(ms) from wait), 30000::numeric, 'at most 30 s');
select is((select count(*) from queues.task_lease_ended where task_id = :id and how = 'retry'), 10::bigint, 'each end is a fact');
select * from finish();
rollback;

-- Nor can throws_ok catch it, so the exception is named here.
begin;
select plan(5);
create function pg_temp.run_cancelled(_id bigint) returns text language plpgsql as $$
begin
    return (select outcome from queues.execute(test.worker(), _id, 1));
exception when query_canceled then
    return sqlstate;
end $$;
select test.enqueue('test.raises', '{"sqlstate": "57014"}') as id \gset
select test.lease(:id);
select is(pg_temp.run_cancelled(:id), '57014', 'it passes through');
select is(test.place(:id), 'running', 'the lease is still held');
select is(queues.finish(test.worker(), :id, 1, 'failed', null, 'timed out after 3600 s'), 'completed', 'the program records it');
select is(test.last_error(:id), 'timed out after 3600 s', 'as an error fact');
select is(test.outcome(:id), 'failed', 'failed');
select * from finish();
rollback;

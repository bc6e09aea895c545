begin;
select plan(14);
create function pg_temp.ask(_body text, _cut boolean default false) returns bigint language plpgsql as $$
declare
    _id bigint := test.job();
begin
    perform queues.simulate(j.task_id, 'answered', jsonb_build_object('status', 201, 'headers', '{}'::jsonb, 'body', _body, 'truncated', _cut))
    from pgqueue.job_queue as j where j.job_id = _id;
    return _id;
end $$;
create function pg_temp.why(_id bigint) returns text language sql
as $$ select e.error_message from pgqueue.job_run as k join queues.error as e using (task_id) where k.job_id = _id $$;
select pg_temp.ask('[{"url": "https://a/"}', true) as cut, pg_temp.ask('{"url": "https://a/"', false) as short, pg_temp.ask(U&'\FEFF{"url": "https://a/"}') as bom,
       pg_temp.ask('{"url": "https://a/"}', true) as longer, pg_temp.ask('Created.') as plain, pg_temp.ask('Created ...', true) as plain_cut, pg_temp.ask('{"id": 5}') as other \gset
select is(pg_temp.why(:cut), 'no follow-up job: the answer is longer than is kept of it (64 KiB), or was cut short', 'cut by us');
select is(pg_temp.why(:longer), 'no follow-up job: the answer is longer than is kept of it (64 KiB), or was cut short', 'cut where it looks whole');
select matches(pg_temp.why(:short), '^no follow-up job: the answer begins like JSON and cannot be read: ', 'cut by the peer');
select is(pg_temp.why(:bom), null, 'a byte order mark does no harm');
select is((select count(*) from pgqueue.job_queue where parent_job_id = :bom), 1::bigint, 'its job is made');
select is(test.job_status(:bom), 'redirected', 'and it says so');
select is(pg_temp.why(:plain), null, 'a text is a text');
select is(pg_temp.why(:plain_cut), null, 'a long one too');
select is(pg_temp.why(:other), null, 'and an object without a url is one');
select is((select count(*) from pgqueue.job_queue where parent_job_id in (:cut, :short, :longer, :plain, :plain_cut, :other)), 0::bigint, 'none of these makes a job');
select is(test.job_status(i), 'completed', 'all are completed') from unnest(array[:cut, :short, :longer]) as i;
-- A secret of the parent that was masked is no token.
select pg_temp.ask('{"url": "https://a/", "jwt": "***"}') as masked \gset
select is(pg_temp.why(:masked), 'no follow-up job: jwt is not a token', 'a masked token makes no job');
select * from finish();
rollback;

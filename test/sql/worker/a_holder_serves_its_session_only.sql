-- The id of a holder is no secret: it serves the session and the login that it was made for.
begin;
select plan(6);
select test.enqueue() as task \gset
select test.worker() as worker \gset
create function pg_temp.claim(_holder integer) returns bigint language sql as $$
    select task_id from internal.claim_for(_holder, null, null, 1, '1 minute', null, null, true, false) $$;
create function pg_temp.holder(_login name, _pid integer) returns integer language sql as $$
    insert into queues.holder (worker_id, leased_by, backend_pid, backend_start) values (test.worker(), _login, _pid, now()) returning holder_id $$;
select pg_temp.holder(session_user, 0) as other_session, pg_temp.holder('queues_owner', pg_backend_pid()) as other_login \gset
select throws_ok(format('select pg_temp.claim(%s)', :other_session), '42501', 'holder is not this session', 'another session');
select throws_ok(format('select pg_temp.claim(%s)', :other_login), '42501', 'holder is not this session', 'another login');
select is((select task_id from queues.claim_next(:'worker', 'default', 0, '-infinity', '{db_function}', '60 seconds', 't')), null::bigint, 'a direct claim has none of these');
select is(internal.holder_of(:'worker'), null::integer, 'nor has this session a holder');
select internal.this_holder(:'worker') as own \gset
select is((select count(*) from unnest(array[:other_session, :other_login]) as o where o = :own), 0::bigint, 'its own is another');
select is(pg_temp.claim(:own), :task, 'and that may claim');
select * from finish();
rollback;

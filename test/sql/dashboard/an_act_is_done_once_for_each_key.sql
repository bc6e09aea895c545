-- The answer of the first time is the answer of every time; a key belongs to one person and one act, and is forgotten after a day.
begin;
select plan(10);
set local client_min_messages = error;
create role test_dashboard login;
grant queues_dashboard to test_dashboard;
create function pg_temp.claim(_person text, _no integer, _act text) returns text language sql as
    $$ select test.as_login('test_dashboard', 'none', _person, format('select c::text from queues.claim_act(%L, %L) as c', '00000000-0000-0000-0000-00000000000' || _no, _act)) $$;
create function pg_temp.finish(_person text, _notice text) returns text language sql as
    $$ select test.as_login('test_dashboard', 'none', _person, format('select queues.end_act(%L, %L, %L)', '00000000-0000-0000-0000-000000000001', _notice, '/tasks/1')) $$;
select is(pg_temp.claim('anna', 1, '/tasks/1/cancel'), '(t,,)', 'the first time');
select is(pg_temp.finish('anna', 'Cancelled.'), '', 'its answer');
select is(pg_temp.claim('anna', 1, '/tasks/1/cancel'), '(f,Cancelled.,/tasks/1)', 'is kept');
select pg_temp.finish('anna', 'Something else.');
select is(pg_temp.claim('anna', 1, '/tasks/1/cancel'), '(f,Cancelled.,/tasks/1)', 'and does not change');
select is(pg_temp.claim('anna', 1, '/tasks/2/cancel'), '22023', 'another act');
select is(pg_temp.claim('berta', 1, '/tasks/1/cancel'), '22023', 'another person');
select is(pg_temp.claim('anna', 2, null), '22004', 'no act');
select is(pg_temp.claim('anna', 2, repeat('x', 2000)), '54000', 'an address without end');
update internal.act_key set claimed_at = clock_timestamp() - interval '25 hours';
select is(pg_temp.claim('anna', 3, '/'), '(t,,)', 'another key');
select is((select count(*) from internal.act_key), 1::bigint, 'removes what is older than a day');
select * from finish();
rollback;

begin;
select plan(8);
create function test.ungranted(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp
as $$ select test.note('ungranted'); select '{}'::jsonb $$;
revoke execute on function test.ungranted(jsonb) from public;
select internal.allow_function('test.ungranted', _grant => false);
select is(test.sqlstate_as('worker_service_user', format('select internal.run_function(%L, %L)', n, '{}')), '42501', n)
from unnest(array['test.ungranted', 'test.secret', 'pg_catalog.pg_sleep', 'test.ok(jsonb)', E'test.ok\'; drop table queues.task; --', 'test.answer"']) as n;
select is((select count(*) from test.effect), 0::bigint, 'nothing was executed');
select is(test.sqlstate_as('worker_service_user', $$select internal.run_function('test.ok', '{}')$$), '00000', 'with both keys it runs');
select * from finish();
rollback;

begin;
select plan(8);
create temp table does as select d, test.enqueue('test.ok', jsonb_build_object('success_handler', 'test.success', 'on_success', d)) as id
from unnest(array['raise', 'refuse']) as d;
select is(test.run(id), 'failed', d) from does;
select is(test.effects('ok'), 0::bigint, d || ': the work is undone') from does;
select is(test.errors(id), 1::bigint, d || ': one error fact') from does;
select alike(test.last_error(id), 'success handler test.success failed: %', d || ': it names the handler, not the function') from does;
select * from finish();
rollback;

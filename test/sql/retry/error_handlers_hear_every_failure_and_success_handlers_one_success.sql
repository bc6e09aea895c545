begin;
select plan(3);
create sequence test.tries;
create function test.third(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin if nextval('test.tries') < 3 then raise exception 'not yet'; end if; return '{"status": "succeeded"}'; end $$;
select internal.allow_function('test.third');
select queues.enqueue('db_function', '{"db_function": "test.third", "error_handler": "test.error", "success_handler": "test.success"}', _max_attempts => 5) as one \gset
select test.run(internal.last_attempt(:one));
select test.run(internal.last_attempt(:one));
select test.run(internal.last_attempt(:one));
select is((select array_agg(concat_ws(' ', detail->>'attempt', detail->>'max_attempts', detail->>'is_last') order by effect_id)::text from test.effect where what = 'error'),
          '{"1 5 false","2 5 false"}', 'each failure');
select is(test.effects('success'), 1::bigint, 'one success');
select is(queues.task_result(:one) - 'completed_at', '{"state": "completed", "outcome": "succeeded", "status": "succeeded", "attempt": 3, "max_attempts": 5}', 'the result of the first is that of the chain');
select * from finish();
rollback;

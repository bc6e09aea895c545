begin;
select plan(2);
create schema "Odd Schema";
create function "Odd Schema"."f; drop table x"(_payload jsonb) returns jsonb language sql as $$ select '{"status": "succeeded"}'::jsonb $$;
select is(internal.allow_function('Odd Schema.f; drop table x'), 'Odd Schema.f; drop table x(jsonb)', 'registered');
select is(test.run(test.enqueue('Odd Schema.f; drop table x')), 'succeeded', 'and called');
select * from finish();
rollback;

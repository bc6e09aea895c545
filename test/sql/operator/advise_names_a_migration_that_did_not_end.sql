-- How far a migration has come stands among the settings while it lasts.
begin;
select plan(3);
select is_empty($$select * from queues.advise() where area = 'schema'$$, 'nothing to say');
insert into internal.config (key, value) values ('migrating', '{"first": 7, "tables": 1}');
select results_eq($$select problem, hint from queues.advise() where area = 'schema'$$,
    $$values ('a migration has begun and not ended', 'Run: reeve migrate')$$, 'it is to be ended');
select throws_ok($$select internal.set_config('migrating', '{}')$$, '22023', 'setting "migrating" cannot be changed here', 'and not by hand');
select * from finish();
rollback;

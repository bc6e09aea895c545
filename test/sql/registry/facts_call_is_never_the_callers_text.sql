begin;
select plan(2);
select throws_ok($$select internal.read_facts(null, '(select 1 as x) as f --       (jsonb)')$$, '42501', null, 'text from outside is refused');
select internal.set_runner_mode('definer');
select throws_ok($$select internal.read_facts(null, '(select 1 as x) as f --       (jsonb)')$$, '42501', null, 'in definer mode too');
select * from finish();
rollback;

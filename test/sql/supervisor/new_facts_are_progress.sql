begin;
select plan(2);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
do $$
begin
    for _i in 1 .. 30 loop
        update test.script set facts = jsonb_build_object('n', _i) where id = 1;
        perform test.run_ticks(test.process_id(1), 1);
    end loop;
end
$$;
select is((select count(*) from queues.process_run where process_id = :process), 30::bigint, 'never idle');
select is((select facts from queues.process_run where process_id = :process and run_no = 7), '{"n": 7}', 'each run keeps what it saw');
select * from finish();
rollback;

-- The whole pipeline in one transaction that is rolled back.  Run with psql after statistics.sql.
\set ON_ERROR_STOP 1
begin;

-- Three statements, three changes, one pending command.
insert into statistics.establishment (region, employees, turnover)
select (array['north', 'south', 'east'])[1 + n % 3], n % 500, n * 1000 from generate_series(1, 2500) as n;
update statistics.establishment set region = 'west' where establishment_id % 100 = 0;
delete from statistics.establishment where establishment_id % 50 = 7;
do $$
declare
    _pending worker.tasks;
begin
    select * into strict _pending from worker.tasks where state = 'pending';
    assert _pending.command = 'derive_statistics', 'the changes are merged into one command';
    assert (_pending.payload->>'to')::integer - (_pending.payload->>'from')::integer = 2499, 'over all ids';
    assert _pending.payload->'regions' = '["east", "north", "south", "west"]', 'and all regions';
    assert _pending.payload->'changes' = '2575', '2500 inserted, 25 moved, 50 deleted';
end
$$;

call worker.process_tasks(p_queue => 'statistics');
do $$
declare
    _top worker.tasks;
begin
    select * into strict _top from worker.tasks where parent_id is null;
    assert _top.state = 'completed', format('the tree is %s: %s', _top.state, _top.error);
    assert _top.info = '{"units": 2450, "regions": 4}', format('info of the leaves is added up: %s', _top.info);
    assert (select count(*) from worker.tasks where command = 'derive_some_units') = 3, 'a child per thousand';
    assert not exists (select 1 from statistics.difference), 'the derived figures are right';
    assert (select count(*) from statistics.report) = 1 and (select units from statistics.report) = 2450, 'one report, of all units';
    assert (select min(c.started_at) from worker.tasks as t join queues.task_completed as c on c.task_id = t.id where t.command = 'write_report')
        >= (select max(completed_at) from worker.tasks where command = 'derive_region'), 'written when all else was done';
end
$$;

-- A change while nothing waits makes a new command, for itself only.
update statistics.establishment set employees = 1000 where establishment_id = (select min(establishment_id) from statistics.establishment);
call worker.process_tasks(p_queue => 'statistics');
do $$
begin
    assert (select count(*) from statistics.report) = 2, 'a second report';
    assert (select changes from statistics.report order by report_id desc limit 1) = 1, 'of one change';
    assert not exists (select 1 from statistics.difference), 'the derived figures are right';
    assert (select count(*) from queues.check(true)) = 0, 'facts and working set agree';
end
$$;
rollback;

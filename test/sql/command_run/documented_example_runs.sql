-- Set up data that creates pending tasks, call the worker, look, roll back.
begin;
select plan(3);
set local client_min_messages = error;
create table public.establishment (id integer primary key, name text);
create table public.statistical_unit (unit_id integer primary key, name text);
create procedure test.derive_statistical_unit(payload jsonb) language sql security definer as $$
    insert into public.statistical_unit select e.id, upper(e.name) from public.establishment as e
    where e.id in (select i::integer from jsonb_array_elements_text(payload->'ids') as i)
    on conflict (unit_id) do update set name = excluded.name
$$;
insert into worker.command_registry (command, handler_procedure, description, queue, dedup_keys, merge_rules)
values ('derive_statistical_unit', 'test.derive_statistical_unit', 'refreshes units', 'analytics', '{}', '{"ids": "union"}');
create function worker.enqueue_derive_statistical_unit(ids integer[]) returns bigint language sql as $$
    select worker.enqueue('derive_statistical_unit', jsonb_build_object('ids', ids)) $$;
create function test.on_establishment() returns trigger language plpgsql as $$
begin perform worker.enqueue_derive_statistical_unit(array_agg(id)) from changed; return null; end $$;
create trigger changed after insert on public.establishment referencing new table as changed for each statement execute function test.on_establishment();

INSERT INTO public.establishment VALUES (1, 'one'), (2, 'two');
INSERT INTO public.establishment VALUES (3, 'three');
select is((select count(*) from worker.tasks where state = 'pending'), 1::bigint, 'the changes are merged into one pending task');
CALL worker.process_tasks(p_queue => 'analytics');
select is((SELECT array_agg(name order by unit_id) FROM public.statistical_unit), array['ONE', 'TWO', 'THREE'], 'the results are there at once');
select is((select state from worker.tasks), 'completed', 'and the task is completed');
select * from finish();
rollback;

-- Derived statistics: a small pipeline of commands.
--
--   a change of establishments   a statement trigger collects it; while a derivation waits, further
--                                changes are merged into it
--   derive_statistics            one at a time; three children, one after the other:
--     derive_units                 children side by side, one per thousand establishments
--     derive_regions               children side by side, one per region
--     write_report                 the figures, when all the others are done
--
-- Run with psql after the schema is installed, as the owner of the database or a superuser.
create schema statistics;

create table statistics.establishment (
    establishment_id  integer generated always as identity primary key,
    region            text not null,
    employees         integer not null,
    turnover          numeric not null
);
create index establishment_region_idx on statistics.establishment (region);

-- Derived: one row per establishment, one per region, one per report.
create table statistics.unit (
    establishment_id  integer primary key,
    region            text not null,
    size_class        text not null,
    productivity      numeric
);
create index unit_region_idx on statistics.unit (region);
create table statistics.region_summary (
    region         text primary key,
    units          integer not null,
    large_units    integer not null,
    productivity   numeric
);
create table statistics.report (
    report_id   bigint generated always as identity primary key,
    written_at  timestamptz not null default clock_timestamp(),
    task_id     bigint not null,
    changes     bigint not null,
    units       bigint not null,
    regions     bigint not null
);

-- The extent of a change: the ids between two bounds, and the regions before and after.  The merge rules of
-- the command make one of two.
create function statistics.enqueue_derive(_from integer, _to integer, _regions text[], _changes bigint) returns bigint
    language sql volatile
as $$
    select worker.enqueue('derive_statistics', jsonb_build_object('from', _from, 'to', _to, 'regions', _regions, 'changes', _changes))
    where _changes > 0
$$;

-- One trigger per event: a transition table belongs to one event.  Security definer, so that a role that may
-- change the table needs no other right.
create function statistics.collect_change() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'INSERT' then
        perform statistics.enqueue_derive(min(n.establishment_id), max(n.establishment_id), array_agg(distinct n.region), count(*))
        from new_rows as n;
    elsif tg_op = 'UPDATE' then
        perform statistics.enqueue_derive(min(n.establishment_id), max(n.establishment_id), array_agg(distinct n.region), count(*) filter (where n.is_new))
        from (select establishment_id, region, true as is_new from new_rows
              union all select establishment_id, region, false from old_rows) as n;
    else
        perform statistics.enqueue_derive(min(o.establishment_id), max(o.establishment_id), array_agg(distinct o.region), count(*))
        from old_rows as o;
    end if;
    return null;
end
$$;
create trigger inserted after insert on statistics.establishment
    referencing new table as new_rows for each statement execute function statistics.collect_change();
create trigger updated after update on statistics.establishment
    referencing old table as old_rows new table as new_rows for each statement execute function statistics.collect_change();
create trigger deleted after delete on statistics.establishment
    referencing old table as old_rows for each statement execute function statistics.collect_change();

-- The top of the tree only plans.  Its children run one after the other.
create procedure statistics.derive_statistics(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _me constant bigint := worker.current_task_id();
    _what constant jsonb := payload - 'command';
begin
    perform worker.spawn('derive_units', _what, _me, p_child_mode => 'serial');
    perform worker.spawn('derive_regions', _what, _me);
    perform worker.spawn('write_report', _what, _me);
end
$$;

-- A thousand establishments per child.
create procedure statistics.derive_units(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform worker.spawn('derive_some_units', jsonb_build_object('from', f, 'to', least(f + 999, (payload->>'to')::integer)),
                         worker.current_task_id())
    from generate_series((payload->>'from')::integer, (payload->>'to')::integer, 1000) as f;
end
$$;

create procedure statistics.derive_some_units(payload jsonb, inout info jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _from constant integer := payload->>'from';
    _to constant integer := payload->>'to';
    _units bigint;
begin
    delete from statistics.unit as u
    where u.establishment_id between _from and _to
      and not exists (select 1 from statistics.establishment as e where e.establishment_id = u.establishment_id);
    insert into statistics.unit (establishment_id, region, size_class, productivity)
    select e.establishment_id, e.region,
           case when e.employees < 10 then 'small' when e.employees < 250 then 'medium' else 'large' end,
           round(e.turnover / nullif(e.employees, 0), 2)
    from statistics.establishment as e
    where e.establishment_id between _from and _to
    on conflict (establishment_id) do update
    set region = excluded.region, size_class = excluded.size_class, productivity = excluded.productivity;
    get diagnostics _units = row_count;
    -- A front end sees the progress: every child reports, and the root has the sums.
    perform worker.report_progress(jsonb_build_object('units', _units));
end
$$;

create procedure statistics.derive_regions(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform worker.spawn('derive_region', jsonb_build_object('region', r), worker.current_task_id())
    from jsonb_array_elements_text(payload->'regions') as r;
end
$$;

create procedure statistics.derive_region(payload jsonb, inout info jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from statistics.region_summary as s where s.region = payload->>'region';
    insert into statistics.region_summary (region, units, large_units, productivity)
    select u.region, count(*), count(*) filter (where u.size_class = 'large'), round(avg(u.productivity), 2)
    from statistics.unit as u where u.region = payload->>'region' group by u.region;
    info := jsonb_build_object('regions', 1);
end
$$;

create procedure statistics.write_report(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into statistics.report (task_id, changes, units, regions)
    select worker.current_task_id(), (payload->>'changes')::bigint, coalesce(sum(s.units), 0), count(*)
    from statistics.region_summary as s;
end
$$;

-- The result of a derivation from scratch, compared with the stored one; no rows: they agree.
create view statistics.difference as
select coalesce(e.region, s.region) as region, e.units as units_wanted, s.units as units_found
from (select e.region, count(*)::integer as units, count(*) filter (where e.employees >= 250)::integer as large_units,
             round(avg(round(e.turnover / nullif(e.employees, 0), 2)), 2) as productivity
      from statistics.establishment as e group by e.region) as e
full join statistics.region_summary as s on s.region = e.region
where (e.units, e.large_units, e.productivity) is distinct from (s.units, s.large_units, s.productivity);

-- One tree at a time, four of its tasks side by side.
insert into worker.queue_registry (queue, description, default_concurrency)
values ('statistics', 'derived statistics', 4) on conflict (queue) do nothing;
do $$
begin
    perform worker.register_command('derive_statistics', 'statistics.derive_statistics', 'statistics',
        p_description => 'derives what changed', p_status_type => 'is_deriving_statistics', p_dedup_keys => '{}',
        p_merge_rules => '{"from": "least", "to": "greatest", "regions": "union", "changes": "sum"}');
    perform worker.register_command(c, 'statistics.' || c, 'statistics')
    from unnest(array['derive_units', 'derive_some_units', 'derive_regions', 'derive_region', 'write_report']) as c;
end
$$;

-- internal.within_destinations(_rows, _limits)
-- Rows of a claim, without those that are too many for their destination: "name=n" among the
-- limits lets n of that name pass, "*=n" n of every other one.
create or replace function internal.within_destinations(_rows tid[], _limits text[]) returns tid[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _default constant integer := (select split_part(l, '=', 2)::integer from unnest(_limits) as l where l like '*=%');
    _names text[];
    _counts integer[];
begin
    select array_agg(split_part(l, '=', 1)), array_agg(split_part(l, '=', 2)::integer) into _names, _counts
    from unnest(_limits) as l where l like '%=%' and l not like '*=%';
    return coalesce((
        select array_agg(x.ctid order by x.n)
        from (select r.ctid, r.destination, row_number() over (partition by r.destination
                     order by r.priority, r.available_at, r.task_id) as n
              from queues.ready as r where r.ctid = any(_rows)) as x
        where x.destination is null
           or x.n <= coalesce(_counts[array_position(_names, x.destination)], _default, 2147483647)), '{}');
end
$$;
comment on function internal.within_destinations(tid[], text[]) is 'Leaves out rows that are too many for their destination.';

-- internal.within_destinations(_rows, _limits)
-- Rows of a claim, without those that are too many for their destination: "name=n" among the
-- limits lets n of that name pass, "*=n" n of every other one.  "retry name=n" and "retry *=n"
-- say how many of these may be retries.
create or replace function internal.within_destinations(_rows tid[], _limits text[]) returns tid[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _names text[];
    _counts integer[];
begin
    select array_agg(m[1]), array_agg(m[2]::integer) into _names, _counts
    from unnest(_limits) as l cross join lateral regexp_match(l, '^(.*)=([0-9]{1,9})$') as m where m is not null;
    return coalesce((
        select array_agg(y.ctid order by y.n)
        from (select x.ctid, x.host, row_number() over (partition by x.host order by x.priority, x.available_at, x.task_id) as n
              from (select r.ctid, r.destination, regexp_replace(r.destination, '^retry ', '') as host, r.priority, r.available_at, r.task_id,
                           row_number() over (partition by r.destination order by r.priority, r.available_at, r.task_id) as n
                    from queues.ready as r where r.ctid = any(_rows)) as x
              where x.destination is null or x.destination not like 'retry %'
                 or x.n <= coalesce(_counts[array_position(_names, x.destination)], _counts[array_position(_names, 'retry *')], 2147483647)) as y
        where y.host is null
           or y.n <= coalesce(_counts[array_position(_names, y.host)], _counts[array_position(_names, '*')], 2147483647)), '{}');
end
$$;
comment on function internal.within_destinations(tid[], text[]) is 'Leaves out rows that are too many for their destination.';

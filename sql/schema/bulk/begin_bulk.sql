-- internal.begin_bulk(_act)
-- Puts on record that somebody begins or goes on with an act: once per person, with an entry in the audit.  The caller has locked the act.
create or replace function internal.begin_bulk(_act queues.bulk_act) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into queues.bulk_started (act_id, started_by, started_at) values (_act.act_id, internal.actor(), clock_timestamp()) on conflict (act_id, started_by) do nothing;
    if found then
        perform internal.audit('bulk_' || _act.kind, _act.act_id::text, jsonb_strip_nulls(to_jsonb(_act) - array['act_id', 'kind', 'made_at'])
            || jsonb_build_object('counted', (select sum(s.found) from queues.bulk_scan as s where s.act_id = _act.act_id)));
    end if;
end
$$;
comment on function internal.begin_bulk(queues.bulk_act) is 'Puts the begin of an act on record.';

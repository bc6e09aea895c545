-- queues.run_bulk(_act_id, _limit)
-- Carries an act out for the next ids, at most _limit of them, and says how many; is_finished: none is left.  Anybody who may act
-- calls it again until then, in a transaction of its own each time.  A session that dies takes back its last call and nothing else.
-- The first call of each login is an entry in the audit.
create or replace function queues.run_bulk(_act_id bigint, _limit integer default 1000,
        out done integer, out skipped integer, out refused integer, out is_finished boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act constant queues.bulk_act := internal.lock_bulk(_act_id);
begin
    if _limit is null or _limit < 1 or _limit > 10000 then
        raise exception using errcode = '22023', message = format('limit %s is not between 1 and 10000', coalesce(_limit::text, 'null'));
    end if;
    perform internal.begin_bulk(_act);
    select b.done, b.skipped, b.refused, b.is_finished into done, skipped, refused, is_finished from internal.act_on_batch(_act, _limit) as b;
end
$$;
comment on function queues.run_bulk(bigint, integer) is 'Carries an act out for the next of its ids.';

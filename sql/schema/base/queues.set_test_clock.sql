-- queues.set_test_clock(_at), queues.advance_clock(_by)
-- Moves the clock of this transaction, which can then only be rolled back.  Only the owner may call it: no runtime role can move
-- time.
create or replace function queues.set_test_clock(_at timestamptz default clock_timestamp()) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _at is null or not isfinite(_at) then
        raise exception using errcode = '22008', message = 'test clock must be a finite time';
    end if;
    insert into internal.test_clock (xact, at)
    values (pg_current_xact_id(), _at)
    on conflict (xact) do update set at = excluded.at;
    perform set_config('reeve.test_clock', 'on', true);
end
$$;
comment on function queues.set_test_clock(timestamptz) is
    'Sets the clock of this transaction, which can then only roll back.';

create or replace function queues.advance_clock(_by interval) returns timestamptz
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at timestamptz;
begin
    if _by is null then
        raise exception using errcode = '22004', message = 'interval must not be null';
    end if;
    _at := queues.clock() + _by;
    perform queues.set_test_clock(_at);
    return _at;
end
$$;
comment on function queues.advance_clock(interval) is 'Advances the clock of this test transaction, and returns it.';

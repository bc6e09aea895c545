-- internal.last_slot(_plan, _after, _until)
-- The newest slot in (_after, _until]; null if there is none.  It looks back in steps that double, then halves the last step.
create or replace function internal.last_slot(_plan internal.plan, _after timestamptz, _until timestamptz) returns timestamptz
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _step double precision := 64;
    _low timestamptz := _until;  -- becomes an instant that has a slot after it
    _high timestamptz := _until; -- an instant without a slot after it
    _middle timestamptz;
    _slot timestamptz;
    _found timestamptz;
begin
    loop
        _low := greatest(_after, _until - make_interval(secs => _step));
        _slot := internal.next_slot(_plan, _low);
        if _slot <= _until then
            _found := _slot;
            exit;
        end if;
        if _low <= _after then
            return null;
        end if;
        _high := _low;
        _step := _step * 2;
    end loop;
    _low := _found;
    loop
        -- Slots are whole seconds, or whole intervals from the anchor.
        _slot := internal.next_slot(_plan, _low);
        exit when _slot is null or _slot > _until;
        _found := _slot;
        _low := _slot;
        _middle := _low + make_interval(secs => extract(epoch from _high - _low) / 2);
        exit when _middle <= _low;
        _slot := internal.next_slot(_plan, _middle);
        if _slot <= _until then
            _found := _slot;
            _low := _slot;
        else
            _high := _middle;
        end if;
    end loop;
    return _found;
end
$$;
comment on function internal.last_slot(internal.plan, timestamptz, timestamptz) is 'The newest slot of a plan in a span.';

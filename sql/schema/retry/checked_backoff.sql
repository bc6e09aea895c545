-- internal.checked_backoff(_max_attempts, _backoff)
-- A policy of retries, checked: returns the waits in their stored form.  The input is a list of waits, or an object with kind,
-- base, ceiling and jitter.  A wait is a number of seconds or the text of an interval.  The stored form has seconds only.
create or replace function internal.checked_backoff(_max_attempts integer, _backoff jsonb) returns jsonb
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _stray text;
    _kind text;
    _base numeric;
    _ceiling numeric;
    _jitter numeric;
    _wait numeric;
    _waits jsonb := '[]'::jsonb;
begin
    if _max_attempts not between 1 and 1000 then
        raise exception using errcode = '22023', message = format('max_attempts %s is not between 1 and 1000', _max_attempts),
            hint = '1 means: no retry. A process that must go on for longer needs a supervisor.';
    end if;
    if _backoff is null then
        return null;
    end if;
    if octet_length(_backoff::text) > 16384 then
        raise exception using errcode = '54000', message = 'backoff is over the limit of 16384 bytes';
    end if;
    if jsonb_typeof(_backoff) = 'array' then
        if jsonb_array_length(_backoff) not between 1 and 999 then
            raise exception using errcode = '22023',
                message = format('backoff has %s waits, not between 1 and 999', jsonb_array_length(_backoff));
        end if;
        for _wait in select internal.backoff_seconds('backoff', e.value) from jsonb_array_elements(_backoff) as e loop
            _waits := _waits || to_jsonb(_wait);
        end loop;
        return _waits;
    end if;
    if jsonb_typeof(_backoff) <> 'object' then
        raise exception using errcode = '22023', message = format('backoff is a JSON %s', jsonb_typeof(_backoff)),
            hint = 'Use a list of waits, or an object with kind, base, ceiling and jitter.';
    end if;
    select k into _stray from jsonb_object_keys(_backoff) as k where k not in ('kind', 'base', 'ceiling', 'jitter') order by k limit 1;
    if _stray is not null then
        raise exception using errcode = '22023', message = format('backoff has no field "%s"', left(_stray, 64)),
            hint = 'Fields are kind, base, ceiling and jitter.';
    end if;
    _kind := coalesce(_backoff->>'kind', 'exponential');
    if _kind not in ('constant', 'linear', 'exponential') then
        raise exception using errcode = '22023', message = format('kind "%s" of backoff is not one of constant, linear, exponential', left(_kind, 64));
    end if;
    _base := internal.backoff_seconds('base of backoff', coalesce(_backoff->'base', '5'));
    _ceiling := internal.backoff_seconds('ceiling of backoff', coalesce(_backoff->'ceiling', to_jsonb(greatest(_base, 3600))));
    if _ceiling < _base then
        raise exception using errcode = '22023', message = format('ceiling %s s of backoff is below its base %s s', _ceiling, _base);
    end if;
    if jsonb_typeof(coalesce(_backoff->'jitter', '0')) <> 'number' or (_backoff->>'jitter')::numeric not between 0 and 1 then
        raise exception using errcode = '22023', message = format('jitter %s of backoff is not a number between 0 and 1', left(_backoff->>'jitter', 64));
    end if;
    _jitter := trim_scale(round(coalesce((_backoff->>'jitter')::numeric, 0.2), 6));
    return jsonb_build_object('kind', _kind, 'base', _base, 'ceiling', _ceiling, 'jitter', _jitter);
end
$$;
comment on function internal.checked_backoff(integer, jsonb) is 'Checks a policy of retries; returns its waits in their stored form.';

-- internal.checked_extras(...)
-- The optional attributes of a task, checked.
create or replace function internal.checked_extras(_dedup_key text, _dedup_policy text, _max_crashes integer,
        _timeout interval, _on_in_doubt text, _idempotency_key text, _max_attempts integer, _backoff jsonb) returns internal.task_extras
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _extras internal.task_extras;
begin
    if _dedup_policy is null or _dedup_policy not in ('skip', 'merge', 'replace', 'error') then
        raise exception using errcode = '22023',
            message = format('dedup policy "%s" is not one of skip, merge, replace, error', coalesce(left(_dedup_policy, 64), 'null'));
    end if;
    if _dedup_key = '' then
        raise exception using errcode = '22023', message = 'dedup key must not be empty';
    end if;
    if octet_length(_dedup_key) > 512 then
        raise exception using errcode = '54000', message = 'dedup key is over the limit of 512 bytes';
    end if;
    if _max_crashes < 1 or _max_crashes > 1000 then
        raise exception using errcode = '22023',
            message = format('max_crashes %s is not between 1 and 1000', _max_crashes);
    end if;
    if _timeout <= interval '0' then
        raise exception using errcode = '22023', message = format('timeout "%s" is not positive', _timeout);
    end if;
    if _on_in_doubt not in ('retry', 'fail') then
        raise exception using errcode = '22023',
            message = format('on_in_doubt "%s" is not one of retry, fail', left(_on_in_doubt, 64));
    end if;
    if _idempotency_key = '' then
        raise exception using errcode = '22023', message = 'idempotency key must not be empty';
    end if;
    if octet_length(_idempotency_key) > 256 then
        raise exception using errcode = '54000', message = 'idempotency key is over the limit of 256 bytes';
    end if;
    _extras.dedup_key := _dedup_key;
    _extras.max_crashes := _max_crashes;
    _extras.timeout := _timeout;
    _extras.on_in_doubt := _on_in_doubt;
    _extras.idempotency_key := _idempotency_key;
    _extras.backoff := internal.checked_backoff(_max_attempts, _backoff);
    _extras.max_attempts := coalesce(_max_attempts,
        case when jsonb_typeof(_extras.backoff) = 'array' then jsonb_array_length(_extras.backoff) + 1 end);
    if _extras.max_attempts is null and _backoff is not null then
        raise exception using errcode = '22004', message = 'max_attempts must not be null, unless backoff is a list of waits';
    end if;
    return _extras;
end
$$;
comment on function internal.checked_extras(text, text, integer, interval, text, text, integer, jsonb) is
    'Checks the optional attributes of a task.';

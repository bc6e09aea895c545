-- internal.explained(_subject, _reason, _sentence, _since, _until, _by, _evidence), internal.time_words(_at, _now)
-- explained: one explanation; nulls are left out of the evidence.  time_words: a time in a sentence, to the second, with its distance from now.
create or replace function internal.explained(_subject text, _reason text, _sentence text, _since timestamptz default null,
        _until timestamptz default null, _by text default null, _evidence jsonb default '{}') returns queues.explanation
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select row(_subject, _reason, _sentence, _since, _until, _by, jsonb_strip_nulls(_evidence))::queues.explanation
$$;
comment on function internal.explained(text, text, text, timestamptz, timestamptz, text, jsonb) is 'One explanation.';

create or replace function internal.time_words(_at timestamptz, _now timestamptz) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _at is null or not isfinite(_at) then
        return coalesce(_at::text, 'an unknown time');
    end if;
    return to_char(_at, 'YYYY-MM-DD HH24:MI:SSOF')
        || case when _at > _now then ' (in ' || internal.wait_words(_at - _now) || ')' else ' (' || internal.wait_words(_now - _at) || ' ago)' end;
end
$$;
comment on function internal.time_words(timestamptz, timestamptz) is 'A time in a sentence, with its distance from now.';

-- internal.valid_traceparent(_text)
-- The text if it is a W3C traceparent of version 00, with ids that are not zero; otherwise null.  Traces must never make an enqueue
-- fail, so there is no error.
create or replace function internal.valid_traceparent(_text text) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select _text
    where octet_length(_text) = 55 and _text ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'
      and substr(_text, 4, 32) ~ '[^0]' and substr(_text, 37, 16) ~ '[^0]'
$$;
comment on function internal.valid_traceparent(text) is 'A W3C traceparent of version 00; null if the text is none.';

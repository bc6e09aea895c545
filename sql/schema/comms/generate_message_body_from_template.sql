-- comms.generate_message_body_from_template(_template_text, _params, _allowed_keys)
-- Puts values in the place of ${key}, for each allowed key that the parameters have.  One pass
-- over the template and literally: values are not scanned again, and no character of a key or
-- value means anything.  Every other placeholder stays.  Nothing is escaped: for HTML the caller
-- does that.
create or replace function comms.generate_message_body_from_template(_template_text text, _params jsonb, _allowed_keys text[])
    returns text
    language sql immutable parallel safe
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce(string_agg(case
               when p.n = 1 then p.part
               when k.key is null then '${' || p.part
               -- A JSON null becomes nothing, whatever is not a string its JSON text.
               else coalesce(_params->>k.key, '') || substr(p.part, length(k.key) + 2) end, '' order by p.n), '')
    from unnest(string_to_array(_template_text, '${')) with ordinality as p(part, n)
    left join lateral (
        select a.key from unnest(_allowed_keys) as a(key)
        where starts_with(p.part, a.key || '}') and jsonb_typeof(_params) = 'object' and _params ? a.key
        order by length(a.key) limit 1) as k on true
$$;
comment on function comms.generate_message_body_from_template(text, jsonb, text[]) is
    'Puts values in the place of ${key} in a text, literally and in one pass.';

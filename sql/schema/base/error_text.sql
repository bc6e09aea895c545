-- internal.error_text(_message, _context, _detail, _hint, _call)
-- The recorded text of an error of a command.  The context is kept only down to our own call of the routine.  The detail may
-- repeat data, so it is kept only if the setting error_detail allows it.
create or replace function internal.error_text(_message text, _context text, _detail text, _hint text, _call text) returns text
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select 'Error: ' || _message
        || coalesce(E'\nContext: ' || nullif(case
               when strpos(_context, format('SQL statement "%s"', _call)) > 0
               then btrim(left(_context, strpos(_context, format('SQL statement "%s"', _call)) - 1), E' \n')
               when _context like 'PL/pgSQL function internal.%' then '' else _context end, ''), '')
        || case when _detail <> '' and internal.text_setting('error_detail') = 'true' then E'\nDetail: ' || _detail else '' end
        || case when _hint <> '' then E'\nHint: ' || _hint else '' end
$$;
comment on function internal.error_text(text, text, text, text, text) is 'An error of a command, as text.';

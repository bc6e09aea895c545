-- internal.has_secret_argument(_arguments, _count)
-- Do the arguments of a trigger of pgqueue.trigger_webhook contain a token or a signing secret?
create or replace function internal.has_secret_argument(_arguments bytea, _count integer) returns boolean
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    -- The arguments are texts with a zero byte after each.
    _texts constant text[] := string_to_array(encode(_arguments, 'escape'), '\000');
begin
    return exists (
        select 1 from unnest(_texts) with ordinality as a(text, n)
        where a.n <= _count and (a.text ~ '^_?signing_secret=.' or (a.text ~ '^_?jwt=.' and a.text !~ 'jwt=from_session$')
              or (a.n in (3, 4) and a.text not in ('', 'null', 'from_session') and a.text !~ '^_?[a-z_]+=')));
end
$$;
comment on function internal.has_secret_argument(bytea, integer) is 'Whether arguments of a webhook trigger hold a secret.';

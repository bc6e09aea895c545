-- internal.fits_kinds(_proc, _kinds)
-- Does this function have the signature that each of the kinds needs?
create or replace function internal.fits_kinds(_proc pg_catalog.pg_proc, _kinds text[]) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select bool_and(_proc.prokind = 'f' and case
        when k.kind = 'job' then not _proc.proretset
             and coalesce(array_length(_proc.proargnames, 1), 0) >= _proc.pronargs
        when k.kind = 'facts' then not _proc.proretset and _proc.provolatile <> 'v' and _proc.pronargs = 1
             and _proc.proargtypes[0] in ('int8'::regtype, 'jsonb'::regtype)
        when k.kind = 'task' then not _proc.proretset and _proc.pronargs = 1
             and _proc.proargtypes[0] = 'jsonb'::regtype and _proc.prorettype in ('jsonb'::regtype, 'json'::regtype)
        else not _proc.proretset and _proc.pronargs = 1
             and _proc.proargtypes[0] = 'jsonb'::regtype and _proc.prorettype = 'jsonb'::regtype
        end)
    from unnest(_kinds) as k(kind)
$$;
comment on function internal.fits_kinds(pg_catalog.pg_proc, text[]) is 'Whether a function has the signature of its kinds.';

-- internal.is_operator()
-- May this session see payloads?  This is for definer functions: it checks the role of the session, not theirs.
create or replace function internal.is_operator() returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select pg_has_role(case when current_setting('role') = 'none' then session_user else current_setting('role')::name end,
                       'queues_operator', 'member')
$$;
comment on function internal.is_operator() is 'Whether this session belongs to an operator.';

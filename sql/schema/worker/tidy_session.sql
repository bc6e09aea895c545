-- internal.tidy_session(_role, _prepared, _client_check)
-- Makes the session of a worker ours again after user code, once "reset all" has taken back its settings: advisory locks, temporary tables
-- and cursors go, and our own settings come back.  _client_check names one of them, which depends on the server's version.
-- It returns true if something is left that cannot be taken back: another role, a prepared statement of the user, or not exactly _prepared
-- statements that the worker has prepared.
-- It is called after every transaction of user code, so it is one function: the server keeps its plans.
create or replace function internal.tidy_session(_role text, _prepared integer, _client_check text) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _left record;
    _void text;
begin
    select (select count(*) <> _prepared or count(*) filter (where p.from_sql) > 0 from pg_prepared_statement() as p) as is_prepared,
           (select count(*) filter (where c.is_holdable) > 0 from pg_cursor() as c) as has_cursors
    into _left;
    if _left.has_cursors then
        execute 'close all'; -- plpgsql has a close of its own
    end if;
    if pg_my_temp_schema() <> 0 then
        -- The index of pg_depend finds whatever is in the schema; pg_class has no index for it.
        if exists (select 1 from pg_depend as d where d.refclassid = 'pg_namespace'::regclass and d.refobjid = pg_my_temp_schema()) then
            discard temp;
        end if;
    end if;
    _void := pg_advisory_unlock_all();
    -- As the program sets them for a new session.  A plain SET goes before the clause of this function, and outlives it.
    _void := set_config('search_path', 'pg_catalog, pg_temp', false);
    _void := set_config('idle_in_transaction_session_timeout', '10s', false);
    _void := set_config('lock_timeout', '2s', false);
    _void := set_config(_client_check, '1s', false);
    return _left.is_prepared or current_setting('role') <> _role;
end
$$;
comment on function internal.tidy_session(text, integer, text) is 'Takes back what user code left in a session; is something left?';

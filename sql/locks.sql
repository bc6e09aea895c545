-- The first step of a migration: take every relation that the pending migrations change, before
-- anything else is locked.  The setting reeve.tables names them, in the order in which traffic
-- takes them.  What is locked after that, unforeseen, waits for a moment only.
\ir schema/internal/functions/lock_relations.sql
do $$
begin
    perform set_config('reeve.lock_until', '', true);
    perform internal.lock_relations(string_to_array(current_setting('reeve.tables'), ','));
    perform set_config('lock_timeout', greatest(s.setting::integer / 10, 1)::text, true)
    from pg_settings as s where s.name = 'deadlock_timeout';
end
$$;

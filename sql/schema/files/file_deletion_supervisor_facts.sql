-- files.file_deletion_supervisor_facts(_file_deletion_task_id)
-- All facts of the supervisor of a deletion, in one query.  Lost: an attempt without an outcome whose task has ended or was
-- removed.  The inner selects are by key, so their plans stay good while the tables grow.
create or replace function files.file_deletion_supervisor_facts(_file_deletion_task_id bigint, out is_deleted boolean,
        out has_success boolean, out num_failures integer, out num_attempts integer, out num_scheduled integer,
        out num_lost integer)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
    _out bigint[]; -- tasks of attempts without an outcome
begin
    select (select m.value = 'true' from files.file_metadata as m
            where m.key = 'deleted' and m.file_id = (select t.file_id from files.file_deletion_task as t
                                                     where t.file_deletion_task_id = _file_deletion_task_id)),
           coalesce(bool_or(o.has_success), false), count(o.has_failure), count(*), count(*), 0,
           array_agg(o.task_id) filter (where o.has_success is null and o.has_failure is null)
    into is_deleted, has_success, num_failures, num_attempts, num_scheduled, num_lost, _out
    from (select a.task_id,
                 (select true from files.file_deletion_attempt_succeeded as s
                  where s.file_deletion_attempt_id = a.file_deletion_attempt_id) as has_success,
                 (select true from files.file_deletion_attempt_failed as f
                  where f.file_deletion_attempt_id = a.file_deletion_attempt_id) as has_failure
          from files.file_deletion_attempt as a
          where a.file_deletion_task_id = _file_deletion_task_id offset 0) as o;
    is_deleted := coalesce(is_deleted, false);
    if _out is not null then
        num_lost := internal.count_ended_tasks(_out);
    end if;
end
$$;
comment on function files.file_deletion_supervisor_facts(bigint) is 'Facts for the supervisor of a deletion.';

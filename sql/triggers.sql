-- Facts are append-only: a statement trigger on each fact table refuses changes, which
-- costs an insert nothing.  A test clock can never be committed.
set local client_min_messages = warning; -- not of triggers that are not there yet
do $$
declare
    _table text;
begin
    foreach _table in array array['task', 'task_lease', 'task_completed', 'error', 'task_lease_renewed', 'task_lease_ended',
            'task_dispatched', 'late_result', 'task_changed', 'task_cancel_requested', 'process', 'process_run', 'process_ended',
            'process_revived', 'worker_started', 'worker_stopped', 'holder', 'pruned', 'audit'] loop
        execute format('drop trigger if exists facts_are_append_only on queues.%I', _table);
        execute format('create trigger facts_are_append_only before update or delete or truncate on queues.%I
                        for each statement execute function internal.refuse_change()', _table);
    end loop;
end
$$;
do $$
declare
    _table text;
begin
    foreach _table in array array['job', 'job_run', 'job_ended', 'failed_log'] loop
        execute format('drop trigger if exists facts_are_append_only on pgqueue.%I', _table);
        execute format('create trigger facts_are_append_only before update or delete or truncate on pgqueue.%I
                        for each statement execute function internal.refuse_change()', _table);
    end loop;
end
$$;
drop trigger if exists insert_makes_a_job on pgqueue.job_queue;
create trigger insert_makes_a_job instead of insert on pgqueue.job_queue
    for each row execute function internal.insert_job();
drop trigger if exists update_moves_a_job on pgqueue.job_queue;
create trigger update_moves_a_job instead of update or delete on pgqueue.job_queue
    for each row execute function internal.update_job();
drop trigger if exists a_moved_clock_is_never_committed on internal.test_clock;
create constraint trigger a_moved_clock_is_never_committed after insert or update on internal.test_clock
    deferrable initially deferred for each row execute function internal.refuse_test_commit();
set local client_min_messages = notice;

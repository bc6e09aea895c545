-- Facts are append-only: a statement trigger on each fact table refuses changes, which
-- costs an insert nothing.  A test clock can never be committed.
set local client_min_messages = warning; -- not of triggers that are not there yet
do $$
declare
    _table text;
begin
    foreach _table in array array['task', 'task_lease', 'task_completed', 'error', 'task_lease_renewed', 'task_lease_ended',
            'task_dispatched', 'late_result', 'task_changed', 'task_cancel_requested', 'task_folded', 'process', 'process_run', 'process_ended',
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
drop trigger if exists facts_are_append_only on worker.task_parent;
create trigger facts_are_append_only before update or delete or truncate on worker.task_parent
    for each statement execute function internal.refuse_change();
drop trigger if exists facts_are_append_only on worker.handler_done;
create trigger facts_are_append_only before update or delete or truncate on worker.handler_done
    for each statement execute function internal.refuse_change();
-- Registries: names are resolved, workers are told, what is in use stays.
drop trigger if exists queue_is_guarded on queues.queue;
create trigger queue_is_guarded after insert or update or delete on queues.queue
    for each row execute function internal.guard_queue();
drop trigger if exists command_is_checked on worker.command_registry;
create trigger command_is_checked before insert or update on worker.command_registry
    for each row execute function internal.check_command();
drop trigger if exists command_is_noted on worker.command_registry;
create trigger command_is_noted after insert or update on worker.command_registry
    for each row execute function internal.note_command();
drop trigger if exists open_command_is_kept on worker.command_registry;
create trigger open_command_is_kept before delete on worker.command_registry
    for each row execute function internal.note_command();
-- An insert into the view enqueues.
drop trigger if exists insert_enqueues on worker.tasks;
create trigger insert_enqueues instead of insert or update or delete on worker.tasks
    for each row execute function internal.insert_task();
set local client_min_messages = notice;

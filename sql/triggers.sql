-- Facts are append-only: a statement trigger on each fact table refuses changes.  It costs an insert nothing.  Another trigger
-- refuses to commit a test clock.
-- internal.keep_triggers leaves equal triggers alone, so this text locks only tables that lack one.  A migration repeats each
-- statement of this text until nothing is left to do, one relation per transaction (internal.take_relation).
do $$
begin
    perform internal.keep_triggers(array_agg(f.name), array_agg(text 'facts_are_append_only'),
        array_agg(text 'create trigger %I before delete or update or truncate on %s for each statement execute function internal.refuse_change()'))
    from (values ('pgqueue.job'), ('queues.process'), ('queues.task'), ('queues.task_changed'), ('queues.task_attempt'), ('queues.task_trace'), ('worker.task_parent'),
                 ('pgqueue.job_run'), ('queues.task_cancel_requested'), ('queues.holder'), ('queues.task_lease'),
                 ('queues.task_lease_renewed'), ('queues.task_folded'), ('queues.task_dispatched'), ('queues.task_progress'), ('worker.handler_done'),
                 ('queues.error'), ('queues.task_lease_ended'), ('queues.task_completed'), ('queues.late_result'),
                 ('queues.process_run'), ('queues.process_ended'), ('queues.process_revived'), ('pgqueue.failed_log'),
                 ('pgqueue.job_ended'), ('queues.worker_started'), ('queues.worker_stopped'), ('queues.pruned'),
                 ('queues.audit'), ('queues.schedule_fire'), ('queues.bulk_act'), ('queues.bulk_scan'), ('queues.bulk_target'),
                 ('queues.bulk_done'), ('queues.bulk_started'), ('queues.bulk_stopped')) as f(name);
    perform internal.keep_triggers(array_agg(t.on_table), array_agg(t.name), array_agg('create ' || t.definition))
    from (values
        -- Registries: these triggers resolve names, notify workers, and protect rows that are in use.
        ('queues.queue', 'queue_is_guarded',
         'trigger %I after insert or delete or update on %s for each row execute function internal.guard_queue()'),
        ('worker.command_registry', 'command_is_checked',
         'trigger %I before insert or update on %s for each row execute function internal.check_command()'),
        ('worker.command_registry', 'command_is_noted',
         'trigger %I after insert or update on %s for each row execute function internal.record_command()'),
        ('worker.command_registry', 'open_command_is_kept',
         'trigger %I before delete on %s for each row execute function internal.record_command()'),
        ('internal.test_clock', 'a_moved_clock_is_never_committed',
         'constraint trigger %I after insert or update on %s deferrable initially deferred '
         'for each row execute function internal.refuse_test_commit()'),
        -- An insert into these views makes a job, or enqueues.
        ('pgqueue.job_queue', 'insert_makes_a_job',
         'trigger %I instead of insert on %s for each row execute function internal.insert_job()'),
        ('pgqueue.job_queue', 'update_moves_a_job',
         'trigger %I instead of delete or update on %s for each row execute function internal.update_job()'),
        ('worker.tasks', 'insert_enqueues',
         'trigger %I instead of insert or delete or update on %s for each row execute function internal.insert_task()')
    ) as t(on_table, name, definition);
end
$$;
-- This default needs a function, so it is set here and not in the file of the table.  An equal default is left alone.
do $$
begin
    if not exists (select 1 from pg_attrdef as d join pg_attribute as a on a.attrelid = d.adrelid and a.attnum = d.adnum
                   where d.adrelid = 'queues.task'::regclass and a.attname = 'enqueued_at'
                     and pg_get_expr(d.adbin, d.adrelid) = 'internal.refuse_insert()')
       and internal.take_relation('queues.task') then
        alter table queues.task alter column enqueued_at set default internal.refuse_insert();
    end if;
end
$$;
-- module: comms
-- Messages themselves are no facts: their texts and addresses can be erased.
do $$
begin
    perform internal.keep_triggers(array_agg(f.name), array_agg(text 'facts_are_append_only'),
        array_agg(text 'create trigger %I before delete or update or truncate on %s for each statement execute function internal.refuse_change()'))
    from (values ('comms.send_email_task'), ('comms.send_sms_task'), ('comms.send_email_attempt'),
                 ('comms.send_email_attempt_succeeded'), ('comms.send_email_attempt_failed'), ('comms.send_sms_attempt'),
                 ('comms.send_sms_attempt_succeeded'), ('comms.send_sms_attempt_failed')) as f(name);
end
$$;
-- end of module
-- module: files
do $$
begin
    perform internal.keep_triggers(array_agg(f.name), array_agg(text 'facts_are_append_only'),
        array_agg(text 'create trigger %I before delete or update or truncate on %s for each statement execute function internal.refuse_change()'))
    from (values ('files.file_deletion_task'), ('files.file_deletion_attempt'), ('files.file_deletion_attempt_succeeded'),
                 ('files.file_deletion_attempt_failed')) as f(name);
end
$$;
-- end of module

-- 0002_noop: a task type that does nothing, to measure and to try things out.
-- Locks: registered_task_type exclusively, for a moment; workers read it, nobody writes it.
alter table queues.registered_task_type drop constraint adapter_is_known;
alter table queues.registered_task_type add constraint adapter_is_known check (adapter in
    ('function', 'command', 'job_func', 'email', 'sms', 'file_delete', 'http', 'noop'));
comment on column queues.registered_task_type.adapter is
    'How: function, command, job_func (inside PostgreSQL), email, sms, file_delete, http (a channel), or noop.';

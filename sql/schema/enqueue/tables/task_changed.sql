-- Fact: a waiting task was merged, woken or rescheduled.
create table queues.task_changed (
    task_id       bigint not null,
    change_no     integer not null,
    changed_at    timestamptz not null,
    reason        text not null,
    payload       jsonb,
    available_at  timestamptz not null,
    changed_by    text not null,
    priority      bigint not null,
    lease_no      integer not null,
    constraint task_changed_pkey primary key (task_id, change_no)
);
comment on table queues.task_changed is 'Changes of waiting tasks. Together with the leases they give the key of the ready row.';
comment on column queues.task_changed.reason is 'merge, wake or reschedule.';
comment on column queues.task_changed.payload is 'The payload that was merged in; null: none.';
comment on column queues.task_changed.available_at is 'Time of the ready row after the change.';
comment on column queues.task_changed.priority is 'Priority of the ready row after the change.';
comment on column queues.task_changed.lease_no is 'Last lease at that moment; after a later lease the change no longer counts.';

-- Fact: a task belongs to a trace.  Tasks without a trace have no row, so they cost nothing.
create table queues.task_trace (
    task_id      bigint not null,
    traceparent  text not null,
    follows      bigint,
    constraint task_trace_pkey primary key (task_id)
);
-- The leases of sampled tasks, beside any number of traces that nobody wants (internal.lease_traces).
create index task_trace_sampled_idx on queues.task_trace (task_id)
    where right(traceparent, 1) in ('1', '3', '5', '7', '9', 'b', 'd', 'f');
comment on table queues.task_trace is 'Traces of tasks that were given one.';
comment on column queues.task_trace.traceparent is 'The enqueuer''s span, as a W3C traceparent of version 00.';
comment on column queues.task_trace.follows is
    'Task whose trace this one continues: its last attempt, or the task whose run enqueued it; null: the enqueuer gave the trace.';

-- Fact: the handler of a parent has returned; the parent waits for its children.
create table worker.handler_done (
    task_id     bigint not null,
    lease_no    integer not null,
    done_at     timestamptz not null,
    info        jsonb,
    started_at  timestamptz,
    constraint handler_done_pkey primary key (task_id)
);
comment on table worker.handler_done is 'Parents whose handler has returned.';
comment on column worker.handler_done.info is 'Info of the handler itself; the info of the children is added at the end.';
comment on column worker.handler_done.started_at is 'Start of the handler.';

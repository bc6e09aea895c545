-- Fact: an act was carried out for one of its ids, with the result.  It is written in the transaction that acts.  The primary key makes each id
-- happen once.
create table queues.bulk_done (
    act_id       bigint not null,
    target_id    bigint not null,
    done_at      timestamptz not null,
    result       text not null,
    new_task_id  bigint,
    message      text,
    constraint bulk_done_pkey primary key (act_id, target_id),
    constraint result_is_known check (result in ('done', 'skipped', 'refused'))
);
-- What did not go as asked, for people.
create index bulk_done_problem_idx on queues.bulk_done (act_id, target_id) where result <> 'done';
comment on table queues.bulk_done is 'Results of acts, one per id.';
comment on column queues.bulk_done.result is 'done; skipped: its state had changed since the preview; refused: the message says why.';
comment on column queues.bulk_done.new_task_id is 'Task that a retry or a revival made.';

-- The last counts of open work, for all who ask within the next seconds.  At most one row.  It is no fact: it can be made again at any time.
create table internal.kept_count (
    is_only     boolean not null default true,
    counted_at  timestamptz not null,
    took        interval not null,
    counts      jsonb not null,
    constraint kept_count_pkey primary key (is_only),
    constraint kept_count_has_one_row check (is_only)
);
comment on table internal.kept_count is 'The last counts of open work.';
comment on column internal.kept_count.counted_at is 'Time for which the counts are exact.';
comment on column internal.kept_count.took is 'How long the counting took; it is not repeated before 25 times as long.';
comment on column internal.kept_count.counts is 'Counts by queue; queues without open work are missing.';

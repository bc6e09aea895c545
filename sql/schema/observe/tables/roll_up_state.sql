-- How far internal.roll_up has come.  One row.  The mark is a moment, and the transactions that were open then.
create table internal.roll_up_state (
    is_only       boolean not null default true,
    rolled_until  timestamptz not null,
    mark_at       timestamptz,
    mark_xmax     xid8,
    mark_open     text[],
    constraint roll_up_state_pkey primary key (is_only),
    constraint roll_up_state_has_one_row check (is_only)
);
comment on table internal.roll_up_state is 'How far queues.throughput has been written.';
comment on column internal.roll_up_state.rolled_until is 'Start of the first minute that is not written.';
comment on column internal.roll_up_state.mark_at is 'Time of the mark; null: none.';
comment on column internal.roll_up_state.mark_xmax is 'Transactions from this number on began after the mark.';
comment on column internal.roll_up_state.mark_open is 'Virtual transactions that were open at the mark.';

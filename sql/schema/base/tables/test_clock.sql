-- The clock of a test transaction.  A deferred trigger refuses to commit such a row (queues.set_test_clock).
create table internal.test_clock (
    xact  xid8 not null,
    at    timestamptz not null,
    constraint test_clock_pkey primary key (xact)
);
comment on table internal.test_clock is 'Moved clocks of test transactions, which can only roll back.';

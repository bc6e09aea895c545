-- One column of the rows of a large statement, in the order in which they were changed.  Values of
-- common types are kept as they are: to write 10,000 rows as JSON takes as long as to update them.
create table pgqueue.webhook_change_column (
    change_id    bigint not null,
    column_no    smallint not null,
    is_new       boolean not null,
    column_name  name not null,
    integers     bigint[],
    numerics     numeric[],
    texts        text[],
    times        timestamptz[],
    others       json,
    constraint webhook_change_column_pkey primary key (change_id, column_no, is_new)
);
-- Not compressed: that would take longer than everything else.
alter table pgqueue.webhook_change_column alter column integers set storage external, alter column numerics set storage external,
    alter column texts set storage external, alter column times set storage external, alter column others set storage external;
comment on table pgqueue.webhook_change_column is 'Columns of the rows of large statements.';
comment on column pgqueue.webhook_change_column.is_new is 'After the change, or before.';
comment on column pgqueue.webhook_change_column.others is 'An array, for all other types.';

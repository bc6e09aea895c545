-- Marks a transaction in which retention removes facts (internal.prune_tasks).  The row is inserted before the first fact is
-- removed and deleted after the last one, so no other transaction ever sees it.  Only the owner can write it; anybody could set
-- a setting.
create table internal.pruning (
    xact  xid8 not null,
    constraint pruning_pkey primary key (xact)
);
comment on table internal.pruning is 'The transaction in which retention removes facts right now.';

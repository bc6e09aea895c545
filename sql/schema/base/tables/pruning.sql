-- The mark of a transaction in which retention removes facts (internal.prune_tasks).  The row is
-- inserted before the first fact is removed and deleted after the last one, so it is never seen
-- by another transaction.  Only the owner can write it: a setting could be made by anybody.
create table internal.pruning (
    xact  xid8 not null,
    constraint pruning_pkey primary key (xact)
);
comment on table internal.pruning is 'The transaction in which retention removes facts right now.';

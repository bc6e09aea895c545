-- The roles whose rights may count while schedules start their work (internal.act_as).  The rows are inserted and deleted in one
-- function, so no other transaction ever sees them.  Only the owner can write them; anybody could set a setting.
create table internal.acting (
    xact   xid8 not null,
    role   name not null,
    actor  text,
    constraint acting_pkey primary key (xact, role)
);
comment on table internal.acting is 'The roles whose rights may count in a transaction that fires schedules.';
comment on column internal.acting.actor is 'Who is on record for what is done; null: the role.';

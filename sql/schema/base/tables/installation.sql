-- The database that this installation belongs to.  A copy differs from it, and sends nothing until it is adopted.
create table internal.installation (
    installation_id    uuid not null default gen_random_uuid(),
    system_identifier  bigint not null,
    database_oid       oid not null,
    database_name      name not null,
    adopted_at         timestamptz not null default clock_timestamp(),
    adopted_by         text not null default session_user,
    constraint installation_pkey primary key (adopted_at)
);
comment on table internal.installation is 'Identity of the database; the newest row counts.';

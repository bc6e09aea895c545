-- Applied schema changes.  The existence of this table marks the schema as ours.
create table queues.migration (
    version     integer not null,
    name        text not null,
    checksum    text not null,
    applied_at  timestamptz not null default clock_timestamp(),
    constraint migration_pkey primary key (version)
);
comment on table queues.migration is 'Applied schema changes; the highest version is the version of the schema.';
comment on column queues.migration.version is 'Number of the change; 1, 2, 3 ...';
comment on column queues.migration.name is 'File name of the change, without its ending.';
comment on column queues.migration.checksum is 'SHA-256 of the file; an applied file never changes.';
comment on column queues.migration.applied_at is 'Time of the change.';

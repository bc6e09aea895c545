-- Attributes of a file, key by key; the only table of this module whose rows change.
create table files.file_metadata (
    file_metadata_id  bigint generated always as identity,
    file_id           bigint not null,
    key               text not null,
    value             jsonb not null,
    created_at        timestamptz not null default now(),
    constraint file_metadata_pkey primary key (file_metadata_id),
    constraint file_metadata_file_id_key_key unique (file_id, key),
    constraint file_metadata_file_fkey foreign key (file_id) references files.file
);
comment on table files.file_metadata is 'Attributes of files.';
comment on column files.file_metadata.key is 'name, duration, deleted (true: the object is gone), or a key of the application.';

-- A stored object that the application knows; its bytes are with the files service.
create table files.file (
    file_id     bigint generated always as identity,
    bucket      text not null,
    object_key  text not null,
    mime_type   text,
    created_at  timestamptz not null default now(),
    constraint file_pkey primary key (file_id),
    constraint file_object_key_key unique (object_key)
);
comment on table files.file is 'Files that are stored outside; rows stay when a file is deleted (files.file_metadata).';

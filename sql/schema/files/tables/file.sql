-- A stored object of the application; the files service has its bytes.
create table files.file (
    file_id     bigint generated always as identity,
    bucket      text not null,
    object_key  text not null,
    mime_type   text,
    created_at  timestamptz not null default now(),
    constraint file_pkey primary key (file_id),
    constraint file_object_key_key unique (object_key)
);
comment on table files.file is 'Files that are stored outside; a row is kept when its file is deleted (files.file_metadata).';

-- Settings of the engine that belong to the database, not to one program.
create table internal.config (
    key         text not null,
    value       jsonb not null,
    updated_at  timestamptz not null default clock_timestamp(),
    updated_by  text not null default session_user,
    constraint config_pkey primary key (key)
);
comment on table internal.config is 'Settings; read with internal.get_config, changed with internal.set_config.';

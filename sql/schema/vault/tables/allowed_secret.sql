-- The calls that may use a named secret: its hosts, its uses, and the roles that may name it.
create table internal.allowed_secret (
    secret_name  text not null,
    hosts        text[] not null,
    roles        name[] not null,
    uses         text[] not null,
    added_at     timestamptz not null,
    added_by     text not null,
    constraint allowed_secret_pkey primary key (secret_name)
);
comment on table internal.allowed_secret is 'Secrets that tasks and jobs may name, with the roles and hosts of each.';
comment on column internal.allowed_secret.hosts is
    'host (https, port 443), host:port, *.suffix, *.suffix:port, / for edge functions; * for all, if it only signs.';
comment on column internal.allowed_secret.roles is 'Roles whose members may name it.';
comment on column internal.allowed_secret.uses is 'header: its value is sent; sign: it makes a signature.';

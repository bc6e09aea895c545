-- Texts of e-mails with ${key} in the places that differ (comms.render_email_template).
create table comms.email_template (
    email_template_id  bigint generated always as identity,
    template_key       text not null,
    subject            text not null,
    body               text not null,
    body_params        text[] not null default '{}',
    description        text,
    created_at         timestamptz not null default now(),
    constraint email_template_pkey primary key (email_template_id),
    constraint email_template_template_key_key unique (template_key)
);
comment on table comms.email_template is 'Texts of e-mails with ${key} in the places that differ.';
comment on column comms.email_template.template_key is 'Name by which it is rendered.';
comment on column comms.email_template.body_params is 'Keys that are replaced, in subject and body; every other ${key} stays as it is.';

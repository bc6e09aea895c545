-- Texts of text messages with ${key} in the places that differ (comms.render_sms_template).
create table comms.sms_template (
    sms_template_id  bigint generated always as identity,
    template_key     text not null,
    body             text not null,
    body_params      text[] not null default '{}',
    description      text,
    created_at       timestamptz not null default now(),
    constraint sms_template_pkey primary key (sms_template_id),
    constraint sms_template_template_key_key unique (template_key)
);
comment on table comms.sms_template is 'Texts of text messages with ${key} in the places that differ.';
comment on column comms.sms_template.template_key is 'Name by which it is rendered.';
comment on column comms.sms_template.body_params is 'Keys that are replaced; every other ${key} stays as it is.';

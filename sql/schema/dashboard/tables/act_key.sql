-- Forms of the dashboard that were carried out, with their answer.  It is no fact: a row is removed after a day.
create table internal.act_key (
    act_key     uuid not null,
    act         text not null,
    actor       text not null,
    claimed_at  timestamptz not null,
    notice      text,
    path        text,
    constraint act_key_pkey primary key (act_key)
);
create index act_key_claimed_idx on internal.act_key (claimed_at);
comment on table internal.act_key is 'Forms of the dashboard that were carried out.';
comment on column internal.act_key.act is 'Address of the act, with a digest of the values of its form.';
comment on column internal.act_key.actor is 'Person who sent the form.';
comment on column internal.act_key.notice is 'Answer that the person was shown.';
comment on column internal.act_key.path is 'Page that the person was sent to; null: back.';

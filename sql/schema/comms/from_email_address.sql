-- comms.from_email_address(_key)
-- A sender's address by its name in the setting from_emails; null if it is not set.
create or replace function comms.from_email_address(_key text) returns text
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select c.value->>_key from internal.config as c where c.key = 'from_emails'
$$;
comment on function comms.from_email_address(text) is 'An address of ours, by its name in the setting from_emails.';

-- {{full}}: a webhook that sends rows of this table to {{url}} when they change.
-- The statement that changes rows pays for an insert and nothing else.  After its commit a worker delivers, with retries.
--
-- "reeve new webhook" wrote this file, and it is yours: nothing depends on the generator.  Apply it with
--   psql -q -1 -v ON_ERROR_STOP=1 -f {{stem}}.sql
-- as the owner of the table, who is a member of queues_admin.  It may be applied again.

do $$
declare
    _events constant text[] := '{{events}}';
    _url constant text := '{{url}}';
    _old record;
begin
    if to_regnamespace('pgqueue') is null then
        raise exception using message = 'Reeve is not installed in this database', hint = 'Run "reeve install" first.';
    end if;
    select w.url, w.events, w.table_schema, w.table_name into _old from pgqueue.webhooks as w where w.name = '{{full}}';
    if not found then
        perform pgqueue.create_webhook('{{full}}', '{{table}}', _events, _url,
            -- CHANGE: with a signature the receiver can tell who sends.  Store the secret first: reeve secret set webhook_key
            -- _signing_vault => 'webhook_key',
            -- _columns => '{id}',        -- send only these columns
            -- _changed_only => true,     -- and nothing for an update that changes none of them
            _retry_limit => 10);
    elsif (_old.url, _old.table_schema, _old.table_name) <> (_url, '{{schema_text}}', '{{name}}')
          or not (_old.events @> _events and _old.events <@ _events) then
        raise exception using errcode = '42710', message = 'there is another webhook {{full}}',
            detail = format('It sends %s of %I.%I to %s.', array_to_string(_old.events, ', '), _old.table_schema, _old.table_name, _old.url),
            hint = 'select pgqueue.drop_webhook(''{{full}}'') removes it; changes that were not delivered yet may be lost.';
    end if;
end
$$;

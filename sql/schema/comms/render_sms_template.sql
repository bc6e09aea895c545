-- comms.render_sms_template(_template_key, _params)
-- A text message, with the parameters that the template names; null if there is no such template.
create or replace function comms.render_sms_template(_template_key text, _params jsonb) returns text
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select comms.generate_message_body_from_template(t.body, _params, t.body_params)
    from comms.sms_template as t
    where t.template_key = _template_key
$$;
comment on function comms.render_sms_template(text, jsonb) is 'A text message, made from a template.';

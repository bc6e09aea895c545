-- comms.render_email_template(_template_key, _params)
-- Subject and body of an e-mail, with the parameters that the template names; all null if there
-- is no such template.
create or replace function comms.render_email_template(_template_key text, _params jsonb, out subject text, out body text)
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select comms.generate_message_body_from_template(t.subject, _params, t.body_params),
           comms.generate_message_body_from_template(t.body, _params, t.body_params)
    from comms.email_template as t
    where t.template_key = _template_key
$$;
comment on function comms.render_email_template(text, jsonb) is 'Subject and body of an e-mail, made from a template.';

-- internal.revoke_function(_function)
-- Disables a registered function: later enqueues are refused, and open tasks that name it fail in their run.
create or replace function internal.revoke_function(_function text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update internal.allowed_function as f
    set enabled = false
    where f.enabled
      and (f.function_name = _function or f.signature = _function or f.function_name = 'public.' || _function);
    if not found then
        return false;
    end if;
    perform internal.audit('revoke_function', left(_function, 128));
    return true;
end
$$;
comment on function internal.revoke_function(text) is 'Disables a registered function; true if it was enabled.';

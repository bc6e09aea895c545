-- Types of the engine.

-- The form of a task type.  The types that exist are rows of queues.registered_task_type, so users can add their own.
create domain queues.task_type as text
    constraint task_type_form check (value ~ '^[a-z][a-z0-9_]{0,62}$');
comment on domain queues.task_type is
    'Form of a task type name; the members are rows of queues.registered_task_type.';

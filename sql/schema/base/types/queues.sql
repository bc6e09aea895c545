-- Types of the engine.

-- The form of a task type.  The types that exist are rows of queues.registered_task_type, so users can add their own.
create domain queues.task_type as text
    constraint task_type_form check (value ~ '^[a-z][a-z0-9_]{0,62}$');
comment on domain queues.task_type is
    'Form of a task type name; the members are rows of queues.registered_task_type.';

-- Why something waits, or ended as it did (queues.why).
create type queues.explanation as (
    subject   text,
    reason    text,
    sentence  text,
    since     timestamptz,
    until     timestamptz,
    by_whom   text,
    evidence  jsonb
);
comment on type queues.explanation is 'Why a task, process or job waits or has ended: a fixed word, a sentence, and the evidence.';
comment on column queues.explanation.subject is 'What is explained: task 5, process 7, job 3.';
comment on column queues.explanation.reason is 'A fixed word; unknown: the database cannot know.';
comment on column queues.explanation.since is 'Time since which the reason holds, or of the end; null: not known.';
comment on column queues.explanation.until is 'Time at which the reason passes by itself; null: not known, or not by itself.';
comment on column queues.explanation.by_whom is 'Login, worker or user behind the reason; null: nobody, or not known.';
comment on column queues.explanation.evidence is 'What the sentence rests on; also: further reasons that hold.';

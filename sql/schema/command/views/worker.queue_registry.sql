-- worker.queue_registry
-- Queues of commands.  A row inserted here runs one tree of tasks at a time, and up to
-- default_concurrency of its tasks at once: these are the defaults of queues.queue.
create or replace view worker.queue_registry as
select q.queue, q.description, q.max_running as default_concurrency
from queues.queue as q;
comment on view worker.queue_registry is 'Queues of commands and their concurrency; may be inserted into and updated.';

-- Types of commands.

-- The order in which the children of a parent run.
create type worker.child_mode as enum ('concurrent', 'serial');
comment on type worker.child_mode is 'concurrent: as many at once as limits allow. serial: one after the other, each with its whole subtree.';

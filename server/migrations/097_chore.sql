-- compatible: the release before does its work in loops of its own and does not read this.
-- What became of the last pass of each chore. The timers themselves are in the engine.
create table chore (
  name text primary key,
  every_ms bigint not null,
  deadline_ms bigint not null,
  -- When the first pass of all ended.
  begun_at timestamptz not null,
  duration_ms bigint not null,
  outcome text not null check (outcome in ('done', 'failed', 'abandoned', 'interrupted')),
  succeeded_at timestamptz,
  failed_passes bigint not null,
  next_at timestamptz not null
);
grant select, insert, update, delete on chore to carillon_system;

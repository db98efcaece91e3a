-- What happened in a workspace, for 30 days, so that a program that was away can catch up. It names posts and accounts and does not copy them
-- (decision 68). An id is the time of the entry in microseconds: the relay gives them out under a lock that it holds until its commit, so that
-- they become visible in their order, and they go on growing after a restore or a move to another cell.
create table event_log (
  workspace_id text not null references workspace (id) on delete cascade,
  id bigint not null,
  event text not null,
  post_id text,
  channel_id text,
  connection_id text,
  at timestamptz not null,
  primary key (workspace_id, id)
);
-- The newest id, and what is old enough to be deleted.
create index event_log_by_id on event_log (id);
alter table event_log enable row level security;
alter table event_log force row level security;
create policy tenant on event_log to carillon_app using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on event_log to carillon_system using (true) with check (true);
-- Only the relay writes it.
grant select on event_log to carillon_app;
grant select, insert, update, delete on event_log to carillon_system;

-- How long a delivery that failed is tried again: five times in some minutes, or fifteen times in a day.
alter table webhook add column retries text not null default 'short' check (retries in ('short', 'day'));

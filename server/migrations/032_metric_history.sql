-- The figures of a channel's past days in one row (decision 42). In metric_day each day is a row, and most of its bytes are ids and indexes.
-- Workers move days from there to here about a week later. No day and no figure is left out.
create table metric_history (
  workspace_id text not null,
  channel_id text not null,
  -- One entry for each day. The format is in server/src/features/analytics/history/encode-history.ts.
  days text not null,
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references channel_metric (workspace_id, channel_id) on delete cascade
);
alter table metric_history enable row level security;
alter table metric_history force row level security;
create policy tenant on metric_history to carillon_app using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on metric_history to carillon_system using (true) with check (true);
-- Requests read it, and only workers write it.
grant select on metric_history to carillon_app;
grant select, insert, update, delete on metric_history to carillon_system;

-- The oldest days are deleted all the time. Their entries at the beginning of the index below must not pile up between two vacuums.
alter table metric_day set (autovacuum_vacuum_scale_factor = 0.05);

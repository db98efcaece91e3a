-- compatible: the release before collects no followers. The pulls that are planned for them end without a request there.
-- How many followers an account had on a day (UTC). Null: the platform was asked on that day and told no number.
create table follower_day (
  workspace_id text not null,
  connection_id text not null,
  day date not null,
  followers bigint check (followers >= 0),
  primary key (workspace_id, connection_id, day),
  foreign key (workspace_id, connection_id) references connection (workspace_id, id) on delete cascade
);
alter table follower_day enable row level security;
alter table follower_day force row level security;
create policy tenant on follower_day to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on follower_day to carillon_system using (true) with check (true);
grant select, insert, update, delete on follower_day to carillon_app, carillon_system;

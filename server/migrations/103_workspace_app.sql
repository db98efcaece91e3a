-- compatible: the release before reads neither. It cannot renew the tokens of accounts that were connected with an app of their workspace, and
-- asks for them to be connected again.
-- The developer apps that a workspace brought itself. New accounts of the workspace are connected with the one that has no `replaced_at`. The
-- others stay while accounts that were connected with them exist, because a token can be renewed only with the app that it was issued to.
create table workspace_app (
  workspace_id text not null references workspace (id) on delete cascade,
  platform text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  entered_at timestamptz not null,
  replaced_at timestamptz,
  primary key (workspace_id, platform, client_id)
);
create unique index workspace_app_current on workspace_app (workspace_id, platform) where replaced_at is null;

alter table workspace_app enable row level security;
alter table workspace_app force row level security;
create policy tenant on workspace_app to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on workspace_app to carillon_system using (true) with check (true);
grant select, insert, update, delete on workspace_app to carillon_app, carillon_system;

-- Whether `client_id` is an app of the workspace and not one of the installation. Both could have the same id.
alter table connection add column own_app boolean not null default false;
alter table connect_flow add column own_app boolean not null default false;

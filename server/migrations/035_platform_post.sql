-- The posts and first comments on platforms that are known to be ours, by the platform's id: each belongs to one channel, over all workspaces
-- and connections (decision 45). Two workspaces may have connected one account, and an account that is connected again has a new connection.
create table platform_post (
  platform text not null,
  -- Empty for a platform with one server.
  instance_url text not null,
  account_id text not null,
  platform_post_id text not null,
  workspace_id text not null references workspace (id) on delete cascade,
  -- No reference: a post that is deleted here still exists on the platform.
  channel_id text not null,
  part text not null check (part in ('post', 'comment')),
  claimed_at timestamptz not null default now(),
  -- The ids of an account since a moment are read from this index alone.
  primary key (platform, instance_url, account_id, platform_post_id) include (claimed_at)
);
-- A workspace that is deleted or moved takes its rows with it.
create index platform_post_workspace on platform_post (workspace_id);
alter table platform_post enable row level security;
alter table platform_post force row level security;
create policy tenant on platform_post to carillon_app using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on platform_post to carillon_system using (true) with check (true);
-- Requests have no access to it: whether another workspace has an id is nothing that they may learn.
grant select, insert, update, delete on platform_post to carillon_system;

-- no transaction
-- compatible: the release before writes no external ids, and rows without one do not conflict.
-- Not unique: two owners may call different workspaces the same. create-workspace.ts compares those of one owner.
drop index concurrently if exists workspace_external_id;
create index concurrently workspace_external_id on workspace (external_id) where external_id is not null;
-- A disconnected account gives its id free: it may be connected again as a new connection.
drop index concurrently if exists connection_external_id;
create unique index concurrently connection_external_id on connection (workspace_id, external_id)
  where external_id is not null and status <> 'disconnected';
drop index concurrently if exists post_external_id;
create unique index concurrently post_external_id on post (workspace_id, external_id) where external_id is not null;

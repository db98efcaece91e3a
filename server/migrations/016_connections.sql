alter table connection
  -- When the account was disconnected. The row and its credentials stay until no channel in flight needs them.
  add column disconnected_at timestamptz,
  -- Renewals that failed since the last new token, because the platform was unavailable, and when the next one may be tried.
  add column renew_failures smallint not null default 0,
  add column renew_after timestamptz,
  -- A renewal ahead of the expiry was enqueued; none is enqueued again before this.
  add column renew_early_after timestamptz;

-- A disconnected account no longer occupies its slug.
alter table connection drop constraint connection_workspace_id_slug_key;
create unique index connection_live_slug on connection (workspace_id, slug) where status <> 'disconnected';
create index connection_disconnected on connection (disconnected_at) where status = 'disconnected';

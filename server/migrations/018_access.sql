-- Answers to repeated requests belong to the person and key that sent the first one. The callers of the stored rows are unknown, and some of
-- the rows contain secrets, so they are deleted: a request that is repeated across this upgrade runs again.
delete from idempotency;
alter table idempotency
  add column caller text not null,
  drop constraint idempotency_pkey,
  add primary key (workspace_id, caller, route, key);

-- A connect flow ends with a confirmation. Until then the tokens wait here, encrypted, for at most ten minutes.
delete from connect_flow;
alter table connect_flow
  add column state text not null default 'started' check (state in ('started', 'returned', 'confirm', 'connected', 'failed')),
  -- Set when the browser returns from the platform. The browser gets the id in its address and a secret in a cookie.
  add column attempt_id text unique,
  add column browser_hash bytea,
  -- What the authorization server calls itself (RFC 9207), and whether its answer must name it.
  add column issuer text,
  add column issuer_required boolean not null default false,
  add column scopes_asked text[] not null default '{}',
  add column scopes_granted text[],
  -- What the person sees before they confirm, and the account with its tokens.
  add column account jsonb,
  add column account_sealed bytea,
  -- Why connecting failed.
  add column failure jsonb,
  add column trace_id text,
  -- The connection that was made, which may be removed again.
  add column connected_id text;
create index connect_flow_expiry on connect_flow (expires_at);

-- How much of a limited allowance a person, workspace or address has used. Not limited to a workspace: a person may use several.
create table quota_window (
  -- A hash of what is limited and by whom, so that the table contains no addresses.
  key bytea primary key,
  used int not null,
  ends_at timestamptz not null
);
create index quota_window_end on quota_window (ends_at);
grant select, insert, update, delete on quota_window to carillon_system;

-- The storage that a workspace uses is the sum of its files.
create index media_storage on media (workspace_id) include (size_bytes);

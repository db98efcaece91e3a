-- Mail addresses are compared without regard to case.
create unique index person_address on person (lower(email));

create table invitation (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  -- Of the token in the link; the token itself is only in the mail.
  token_hash bytea not null unique,
  invited_by text not null,
  mail text not null check (mail in ('waiting', 'sent', 'failed', 'not_configured')),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
-- One open invitation for a person; what has expired is removed before another is made.
create unique index invitation_open on invitation (workspace_id, lower(email)) where accepted_at is null;

-- A person is on the way to a platform's consent page and back. Each is used once and lasts ten minutes.
create table connect_flow (
  workspace_id text not null references workspace (id) on delete cascade,
  -- Of the state that travels with the person.
  state_hash bytea not null unique,
  person_id text not null,
  -- Started by somebody signed in: only their own browser finishes it.
  by_session boolean not null,
  platform text not null,
  instance_url text,
  verifier_sealed bytea,
  -- The connection to be renewed, when that is what it is for.
  connection_id text,
  -- Where in the web app to come back to.
  return_to text,
  expires_at timestamptz not null,
  primary key (workspace_id, state_hash)
);

-- Our own registration at each instance of a platform that lets programs register themselves. It belongs to the install, not to a workspace.
create table instance_app (
  platform text not null,
  instance_url text not null,
  redirect_url text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  -- The first time somebody came through with it. Instances forget registrations that nobody used.
  proven_at timestamptz,
  created_at timestamptz not null,
  primary key (platform, instance_url, redirect_url)
);

-- Where one sign-in reaches several accounts or pages: all of them, and who signed in. account_id is the one chosen to publish to.
alter table connection add column targets jsonb, add column sign_in_id text;

do $$
declare
  t text;
begin
  foreach t in array array['invitation', 'connect_flow']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on invitation, connect_flow to carillon_app, carillon_system;
grant select, insert, update, delete on instance_app to carillon_system;

-- The audit log stays append-only for both roles. What a workspace did is forgotten only when the workspace itself is gone: the one way to
-- that is this function, which runs as the tables' owner and refuses while the workspace is there.
create policy erase on audit_entry to current_user using (true) with check (true);
create policy erase on workspace for select to current_user using (true);
create function erase_audit(gone text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if gone is distinct from current_setting('carillon.workspace', true) or exists (select from workspace where id = gone) then
    raise exception 'workspace % is still there, or another one', gone;
  end if;
  delete from audit_entry where workspace_id = gone;
end $$;
revoke all on function erase_audit(text) from public;
grant execute on function erase_audit(text) to carillon_app;

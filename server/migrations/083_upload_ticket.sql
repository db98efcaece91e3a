-- compatible: the release before makes no such addresses and answers none.
-- An address to which one file can be sent without a key. Only a hash of its secret is stored. It ends with the membership of the person who
-- made it, and with the API key that they used.
create table upload_ticket (
  workspace_id text not null,
  id text not null,
  person_id text not null,
  key_workspace_id text,
  api_key_id uuid,
  token_hash bytea not null,
  size_bytes_max bigint not null,
  alt text not null,
  expires_at timestamptz not null,
  -- While a file is being sent, no other one is received.
  claimed_until timestamptz,
  used_at timestamptz,
  media_id text,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on delete cascade,
  foreign key (key_workspace_id, api_key_id) references api_key (workspace_id, id) on delete cascade
);
create unique index upload_ticket_token on upload_ticket (token_hash);
create index upload_ticket_of_member on upload_ticket (workspace_id, person_id);
create index upload_ticket_of_key on upload_ticket (key_workspace_id, api_key_id);
create index upload_ticket_expiry on upload_ticket (expires_at);

alter table upload_ticket enable row level security;
alter table upload_ticket force row level security;
create policy tenant on upload_ticket to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on upload_ticket to carillon_system using (true) with check (true);
grant select, insert, update, delete on upload_ticket to carillon_app, carillon_system;

-- compatible: the release before makes no reports and answers their addresses as unknown pages.
-- A report for a person without an account: what a workspace published in a period, and its figures. Only a hash of the secret is looked up; the sealed
-- copy is what editors copy again.
create table client_report (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  token_hash bytea not null,
  token_sealed bytea not null,
  title text not null,
  first_day date not null,
  last_day date not null,
  -- A report about a label that is removed would be one about everything, or about nothing, so it goes with the label.
  label_id text,
  -- Null: all accounts.
  connection_ids text[],
  language text not null,
  person_id text not null,
  api_key_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, label_id) references label (workspace_id, id) on delete cascade
);
create unique index client_report_token on client_report (token_hash);
create index client_report_label on client_report (workspace_id, label_id) where label_id is not null;

alter table client_report enable row level security;
alter table client_report force row level security;
create policy tenant on client_report to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on client_report to carillon_system using (true) with check (true);
grant select, insert, update, delete on client_report to carillon_app, carillon_system;

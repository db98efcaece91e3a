-- compatible: the release before plans no delivery for these webhooks, because their rows have no events, and cannot open a secret that is
-- empty: what it is given to send is sent by a worker of this release.
-- A webhook that a person sets once, for every workspace in which they are owner or admin. Which these are is read from `member` whenever an
-- event is planned or sent, and is stored nowhere else.
create table account_webhook (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  url text not null,
  events text[] not null,
  secret_sealed bytea not null,
  secret_hint text not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  active boolean not null,
  disabled_reason text,
  retries text not null default 'short' check (retries in ('short', 'day')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index account_webhook_person on account_webhook (person_id);
alter table account_webhook enable row level security;
-- A workspace sees those of its members.
create policy tenant on account_webhook for select to carillon_app using (
  exists (
    select from member
    where member.person_id = account_webhook.person_id and member.workspace_id = current_setting('carillon.workspace', true)
  )
);
create policy system on account_webhook to carillon_system using (true) with check (true);
grant select on account_webhook to carillon_app;
grant select, insert, update, delete on account_webhook to carillon_system;

-- To what the deliveries of a workspace belong. Such a row has the id of the account's webhook, and nothing of what is set there.
alter table webhook add column account_webhook_id text references account_webhook (id) on delete cascade;

-- An owner does not want events of the workspace to go to the webhooks of this member's account.
alter table member add column account_webhooks_shut_out boolean not null default false;

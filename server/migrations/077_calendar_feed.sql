-- compatible: the release before serves no calendar feeds.
-- The secret address at which a member reads the calendar with a program of theirs. Only a hash of the secret is stored. Whoever is no member any
-- more has no feed.
create table calendar_feed (
  workspace_id text not null,
  person_id text not null,
  token_hash bytea not null,
  texts boolean not null,
  created_at timestamptz not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on delete cascade
);
create unique index calendar_feed_token on calendar_feed (token_hash);

alter table calendar_feed enable row level security;
alter table calendar_feed force row level security;
create policy tenant on calendar_feed to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on calendar_feed to carillon_system using (true) with check (true);
grant select, insert, update, delete on calendar_feed to carillon_app, carillon_system;

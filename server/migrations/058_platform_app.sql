-- Developer apps at platforms that an operator entered in the web app. New accounts are connected with the one that has no `replaced_at`. The
-- others stay while accounts that were connected with them exist: a token can be renewed only with the app that it was issued to.
create table platform_app (
  platform text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  is_vetted boolean not null,
  entered_at timestamptz not null,
  replaced_at timestamptz,
  primary key (platform, client_id)
);
create unique index platform_app_current on platform_app (platform) where replaced_at is null;
grant select, insert, update, delete on platform_app to carillon_system;

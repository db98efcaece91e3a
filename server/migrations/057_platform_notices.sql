-- The id by which a platform names the account's owner to our app when it tells that they removed the app or want their data deleted. Null
-- where it is the id of the account, and for accounts that were connected with the release before.
alter table connection add column app_user_id text;

-- Requests of platforms to delete the data of one of their users. The code leads to the page that tells what became of it; it follows from
-- the id of the user and the secret of the app, so that a repeated request has the same one and nobody can be found by it.
create table data_deletion (
  code text primary key,
  platform text not null,
  requested_at timestamptz not null,
  completed_at timestamptz,
  accounts integer not null default 0
);
grant select, insert, update, delete on data_deletion to carillon_system;

-- compatible: the release before does not know the number and does not keep it; make keys with it when all processes have this release.
-- How many workspaces a key may create, and how many it has created. Null: as many as its person.
alter table api_key
  add column workspaces_max int,
  add column workspaces_created int not null default 0;

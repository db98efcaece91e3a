-- Moving a workspace between cells (decision 43). One row for each workspace that leaves or has left this cell, or arrives or has arrived here.
create table workspace_move (
  id text primary key,
  -- leaving: it is still here, and nothing of it is claimed. closing: its requests are refused too. parked: its rows are in workspace_parcel
  -- only. moved: it is in the other cell. arriving: its rows are being received in workspace_parcel. arrived: it is here.
  state text not null check (state in ('leaving', 'closing', 'parked', 'moved', 'arriving', 'arrived')),
  -- The other cell.
  cell integer not null,
  -- Hashes of the API keys and open invitations that left with it: a request that has only one of these is answered with the new cell.
  secret_hashes bytea[] not null default '{}',
  changed_at timestamptz not null default now()
);
-- Every request with an unknown key looks for it here.
create index workspace_move_secret on workspace_move using gin (secret_hashes);

-- The rows of a workspace on their way: each as PostgreSQL prints a composite value, which gives the same row back exactly. Here nothing finds
-- them but the move, so a workspace on its way cannot be published, changed or delivered from.
create table workspace_parcel (
  id text not null references workspace_move (id) on delete cascade,
  position integer not null,
  table_name text not null,
  rows text[] not null,
  hash bytea not null,
  primary key (id, position)
);

-- They belong to the installation: requests have no access to them.
grant select, insert, update, delete on workspace_move, workspace_parcel to carillon_system;

-- What this database knows about the installation it belongs to. One row. A restored copy is recognised by comparing it with the witness
-- that the engine and the object store keep (ADR 20).
create table cell (
  id smallint primary key default 1 check (id = 1),
  -- Another, higher number each time an operator accepts the database after a fence. A job of an earlier epoch does nothing.
  epoch integer not null default 1,
  -- Rises with every comparison that found no loss. A restored database has a lower number than its witness.
  beat bigint not null default 0,
  beat_at timestamptz,
  -- Nothing is claimed or sent after this moment until a worker has compared the database with its witness again.
  open_until timestamptz not null default 'infinity',
  fenced_at timestamptz,
  fence_reason text,
  -- The last restore: what was stored from `lost_from` to `lost_until` is missing, and when an operator finished it.
  lost_from timestamptz,
  lost_until timestamptz,
  restored_at timestamptz,
  check ((fenced_at is null) = (fence_reason is null)),
  check (lost_from <= lost_until)
) with (fillfactor = 50);
insert into cell default values;
grant select, update on cell to carillon_system;

-- When the channel was created: part of the handle, and never changed. `armed_at` is lost when the database is restored to an earlier time;
-- the creation is not, so a platform recognises the repeated send.
alter table channel add column handle_at timestamptz not null default now();
alter table channel no force row level security;
-- Channels that may be sent again keep the handle they had. What is published needs none, except for a first comment still to be sent.
update channel
set handle_at = armed_at
where armed_at is not null and (state not in ('published', 'canceled') or comment_state in ('waiting', 'submitting'));
alter table channel force row level security;

-- The new state `doubted`. The rows that exist satisfied the narrower condition, so they are not read again.
alter table channel drop constraint channel_state_check;
alter table channel add constraint channel_state_check check (
  state in (
    'draft', 'scheduled', 'dispatched', 'submitting', 'confirming', 'doubted', 'published', 'failed', 'unconfirmed', 'canceled'
  )
) not valid;

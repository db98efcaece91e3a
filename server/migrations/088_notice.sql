-- compatible: the release before makes and shows no notices.
-- What people are told about, one row for each cause. `started` is the entry of the event log that opened it: a cause that comes again later is
-- another notice.
create table notice (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  kind text not null,
  -- The event of which programs in chats are told; null for what has none.
  event text,
  cause text not null,
  started bigint not null,
  connection_id text,
  post_id text,
  person_id text,
  code text,
  count int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- When it is told by mail and in chats, or told again; null when there is nothing more to tell.
  tell_at timestamptz,
  told int not null default 0,
  resolved_at timestamptz,
  primary key (workspace_id, id)
);
-- However often an event is looked at, its cause has one notice.
create unique index notice_cause on notice (workspace_id, cause, started);
create index notice_to_tell on notice (tell_at) where tell_at is not null;
create index notice_open on notice (kind) where resolved_at is null and kind in ('needs_reconnect', 'expiring', 'posts_late');
create index notice_last on notice (last_at);

-- The events that a notice is about. Each event is counted once.
create table notice_item (
  workspace_id text not null,
  event_id bigint not null,
  notice_id text not null,
  subject text not null,
  primary key (workspace_id, event_id),
  foreign key (workspace_id, notice_id) references notice (workspace_id, id) on delete cascade
);
create index notice_item_notice on notice_item (workspace_id, notice_id);

-- Who is told. Whoever is no member any more has none.
create table notice_person (
  workspace_id text not null,
  notice_id text not null,
  person_id text not null,
  read_at timestamptz,
  -- Its mail: waits until the notice is told, then for a digest, then nothing more is due.
  mail text not null default 'waits' check (mail in ('waits', 'digest', 'done')),
  mail_from timestamptz,
  primary key (workspace_id, person_id, notice_id),
  foreign key (workspace_id, notice_id) references notice (workspace_id, id) on delete cascade,
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on delete cascade
);
create index notice_person_notice on notice_person (workspace_id, notice_id);
create index notice_person_digest on notice_person (person_id) where mail = 'digest';

do $$
declare
  t text;
begin
  foreach t in array array['notice', 'notice_item', 'notice_person']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select on notice, notice_item to carillon_app;
grant select, update on notice_person to carillon_app;
grant select, insert, update, delete on notice, notice_item, notice_person to carillon_system;

-- What a person wants to be mailed about, in all workspaces; null is the default.
create table notice_setting (
  person_id text primary key references person (id) on delete cascade,
  failures text,
  connections text,
  approvals text,
  digest_hour int,
  timezone text,
  -- The digest of every earlier hour was sent, or there was nothing in it.
  digested_at timestamptz
);
alter table notice_setting enable row level security;
alter table notice_setting force row level security;
create policy system on notice_setting to carillon_system using (true) with check (true);
grant select, insert, update, delete on notice_setting to carillon_system;

-- Up to where the event log was read. Its lock makes one process at a time look.
create table notice_position (
  one boolean primary key default true check (one),
  event_id bigint not null
);
insert into notice_position (event_id) select coalesce(max(id), 0) from event_log;
alter table notice_position enable row level security;
alter table notice_position force row level security;
create policy system on notice_position to carillon_system using (true) with check (true);
grant select, update on notice_position to carillon_system;

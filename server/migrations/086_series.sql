-- compatible: the release before knows no series. It publishes the posts that they made, and makes no further ones.
-- A rule for dates, and what the posts at these dates say. `person_id` and `api_key_id`: who answers for its posts, with the rights they have then.
create table series (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text not null,
  rule jsonb not null,
  content jsonb not null,
  variants jsonb not null,
  state text not null,
  approval text not null,
  revision text,
  person_id text not null,
  api_key_id uuid,
  -- Dates before this are left out without a word: they had passed when the series began.
  begins_at timestamptz not null,
  -- All dates up to this one are decided, and so many there were.
  decided_until text not null,
  decided integer not null,
  -- Posts that were counted against the plan and taken back unsent: as many are not counted again.
  taken_back integer not null,
  -- When a worker looks at it next; null if nothing is left to do.
  look_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index series_to_look_at on series (look_at) where look_at is not null;

-- The dates of a series that are decided. The key is the rule that a date has one post, however many processes make it at once (decision 139).
-- `next_at` is the time of the date after it. `revision` is the hash of the post as it was made.
create table series_date (
  workspace_id text not null,
  series_id text not null,
  date text not null,
  number integer not null,
  at timestamptz not null,
  next_at timestamptz,
  state text not null,
  post_id text,
  revision text,
  code text,
  message text,
  primary key (workspace_id, series_id, date),
  foreign key (workspace_id, series_id) references series (workspace_id, id) on delete cascade,
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete set null (post_id)
);
create unique index series_date_of_post on series_date (workspace_id, post_id);

do $$
declare
  t text;
begin
  foreach t in array array['series', 'series_date']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on series, series_date to carillon_app, carillon_system;

-- How a person wants to see the app. Null: as their browser says.
alter table person
  add column locale text,
  add column timezone text,
  add column week_start text check (week_start in ('monday', 'saturday', 'sunday')),
  add column hour_cycle text check (hour_cycle in ('h12', 'h23')),
  add column theme text check (theme in ('light', 'dark'));

-- To the minute: it is not written for every request.
alter table api_key add column last_used_at timestamptz;

-- How long the endpoint took to answer the last attempt.
alter table webhook_delivery add column duration_ms integer;

alter table connection
  -- Why the account must be connected again, for programs; status_reason says it in words.
  add column status_code text,
  -- Our copy of the account's picture, and the address that it came from. A failed request for it has no key.
  add column avatar_key text,
  add column avatar_source text,
  add column avatar_at timestamptz;

-- Channels that need a person. The index contains the outcome and not the state, which the guard changes (decision 16).
create index channel_troubled on channel (workspace_id, outcome, post_id) where outcome in ('failed', 'unconfirmed');
-- Channels that are not sent yet although they may be due.
create index channel_waiting on channel (workspace_id, due_at) where waiting_reason is not null;

create index audit_entry_of_person on audit_entry (workspace_id, person_id, id);
create index audit_entry_of_subject on audit_entry (workspace_id, subject_id, id);

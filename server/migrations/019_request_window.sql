-- How many requests were sent in the current minute, by caller, so that limits hold for all API processes together. Each process reserves
-- requests in advance, so a row changes once for hundreds of requests. Not logged: after a crash of the database, counting starts again.
create unlogged table request_window (
  key text primary key,
  started_at timestamptz not null,
  used integer not null,
  -- What the last change reserved.
  granted integer not null
);
create index request_window_started on request_window (started_at);
grant select, insert, update, delete on request_window to carillon_system;

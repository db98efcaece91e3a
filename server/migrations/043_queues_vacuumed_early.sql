-- Rows only pass through these tables: each is inserted, read once and deleted. By default PostgreSQL vacuums slowly, with pauses, and takes a
-- lock that stops every insert to shorten the file, which the next rows need again.
do $$
declare
  t text;
begin
  foreach t in array array['outbox_event', 'live_event', 'post_unsearched', 'audit_pending', 'post_tally']
  loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, '
      'autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off)', t);
  end loop;
  -- These keep rows for a while. By default a fifth of them may be dead before anything is done, which is millions in a large installation.
  foreach t in array array['webhook_delivery', 'idempotency', 'rate_window', 'quota_window', 'request_window', 'metric_pull']
  loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, '
      'autovacuum_vacuum_cost_limit = 2000)', t);
  end loop;
end $$;

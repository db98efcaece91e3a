-- Each channel leaves about four dead rows and index entries behind while it is sent, at the beginning of the index of due channels, which every
-- worker reads twice a second. With the usual settings they are removed when a fifth of the table is dead, which on a large table is never
-- soon enough.
alter table channel set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_limit = 1000
);

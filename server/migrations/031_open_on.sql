-- The PostgreSQL server, by its start time, for which `open_until` holds. A standby that takes over and a restored copy have the value of the
-- server before them, so nothing is claimed or sent there until a worker has compared that database with its witnesses (ADR 37). Null: no
-- worker has compared this database yet.
alter table cell add column open_on timestamptz;

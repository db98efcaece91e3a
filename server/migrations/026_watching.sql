-- Accounts that a person must connect again, counted for the metrics.
create index connection_needs_reconnect on connection (platform) where status = 'needs_reconnect';

-- The trace (W3C traceparent) of the request that scheduled the channel, if it is traced. Sending it belongs to the same trace.
alter table channel add column traceparent text;

-- An endpoint that is down may have thousands of waiting deliveries. The dispatcher reads a few deliveries per webhook from this index, so
-- its cost depends on the number of webhooks and not on the number of deliveries.
create index webhook_delivery_waiting on webhook_delivery (workspace_id, webhook_id, next_attempt_at) where status = 'pending' and claimed_at is null;
-- Deliveries that are enqueued in the engine: how many per webhook, and which of them are overdue.
create index webhook_delivery_handed on webhook_delivery (next_attempt_at) where status = 'pending' and claimed_at is not null;
drop index webhook_delivery_due;

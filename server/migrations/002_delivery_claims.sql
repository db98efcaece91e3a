-- A dead endpoint may have thousands of deliveries waiting. The dispatcher steps from webhook to webhook in this index and takes a few of
-- each, so it reads as much as there are webhooks, not as there are deliveries.
create index webhook_delivery_waiting on webhook_delivery (workspace_id, webhook_id, next_attempt_at) where status = 'pending' and claimed_at is null;
-- What the engine has: how many of each webhook are on their way, and which should have been heard of by now.
create index webhook_delivery_handed on webhook_delivery (next_attempt_at) where status = 'pending' and claimed_at is not null;
drop index webhook_delivery_due;

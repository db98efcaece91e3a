-- no transaction
-- Old deliveries are deleted after each attempt. Without this index that reads all deliveries of the webhook that wait, which may be many.
drop index concurrently if exists webhook_delivery_settled;
create index concurrently webhook_delivery_settled on webhook_delivery (workspace_id, webhook_id, id) where status <> 'pending';

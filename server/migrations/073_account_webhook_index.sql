-- no transaction
-- Removing a webhook of an account removes its rows in all workspaces.
drop index concurrently if exists webhook_of_account;
create index concurrently webhook_of_account on webhook (account_webhook_id) where account_webhook_id is not null;

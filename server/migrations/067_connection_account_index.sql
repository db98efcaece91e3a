-- no transaction
-- Across workspaces: the connections of one account, for the posts that are being sent to it.
drop index concurrently if exists connection_account;
create index concurrently connection_account on connection (platform, account_id);

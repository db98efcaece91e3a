-- no transaction
-- Across workspaces: the connections of the user whom a platform names.
drop index concurrently if exists connection_app_user;
create index concurrently connection_app_user on connection (platform, (coalesce(app_user_id, sign_in_id, account_id)));

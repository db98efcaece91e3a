-- no transaction
-- Every post is put on the list for the workers. Until they are done, a search reads the posts on the list one by one, as it did before.
insert into post_unsearched (workspace_id, post_id) select workspace_id, id from post on conflict do nothing;
-- The posts of one set of platforms, newest first. A filter by platform reads the sets that contain it.
drop index concurrently if exists post_of_platforms;
create index concurrently post_of_platforms on post (workspace_id, platforms, id) where platforms is not null;
drop index concurrently if exists post_without_platforms;
create index concurrently post_without_platforms on post (workspace_id, id) where platforms is null;
-- The workspace is part of the index, so that words that are frequent in other workspaces cost nothing.
drop index concurrently if exists post_search_words;
create index concurrently post_search_words on post_search using gin (workspace_id, words gin_trgm_ops);

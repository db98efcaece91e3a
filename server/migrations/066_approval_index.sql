-- no transaction
-- compatible: the release before submits no posts.
-- The posts that wait for an approval, newest first; few of all.
drop index concurrently if exists post_waiting_for_approval;
create index concurrently post_waiting_for_approval on post (workspace_id, id) where approval = 'pending';

-- no transaction
-- The posts that are published already. Of two channels with one id, the first that was published has it. Row-level security holds for the
-- owner of the tables too, so these policies let it read them for the moment. The tables are not locked while the rows are copied.
drop policy if exists platform_post_existing on channel;
create policy platform_post_existing on channel for select to current_user using (true);
drop policy if exists platform_post_existing on connection;
create policy platform_post_existing on connection for select to current_user using (true);
drop policy if exists platform_post_existing on platform_post;
create policy platform_post_existing on platform_post to current_user using (true) with check (true);
insert into platform_post (platform, instance_url, account_id, platform_post_id, workspace_id, channel_id, part, claimed_at)
select k.platform, coalesce(k.instance_url, ''), k.account_id, c.platform_post_id, c.workspace_id, c.id, 'post', c.published_at
from channel c
join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id
where c.outcome = 'published' and c.platform_post_id is not null and c.published_at is not null
order by c.published_at
on conflict do nothing;
drop policy platform_post_existing on channel;
drop policy platform_post_existing on connection;
drop policy platform_post_existing on platform_post;

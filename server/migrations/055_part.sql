-- compatible: the rules are those of before; only the name of the table changed. Rows that the release before writes have no channel_id.
-- What one call publishes is a part: the post of a channel is its first part, and a first comment the one after it. All parts are sent in the
-- same way. A channel is seen as its first part, so what reads and changes channels does not know of the others.
alter table channel rename to part;
alter table part
  add column number smallint not null default 0,
  add column parts smallint not null default 1,
  add column channel_id text,
  add column reply_to text,
  add constraint part_channel_id_check check ((number = 0) = (channel_id is null));

-- The rows of all workspaces are changed, and their owner may be an ordinary role, for which policies hold.
create policy part_existing on part to current_user using (true) with check (true);
create policy part_existing on platform_post to current_user using (true) with check (true);

-- First comments that were under way become parts. A comment without an answer is asked about.
update part set parts = 2 where comment_state <> 'none';
insert into part (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at,
  needs_stage, armed_at, submitted_at, recover_at, attempts, tries, published_at, finished_at, warnings, media_count, traceparent,
  number, parts, channel_id, reply_to)
select c.workspace_id, substr(md5(c.id || ' comment'), 1, 24), c.post_id, c.position, c.connection_id, c.connection_slug, c.target_name,
  c.platform, s.state, c.published_at, now(), false, c.comment_submitted_at, c.comment_submitted_at,
  case when s.state = 'submitting' then now() end, c.comment_tries, c.comment_tries,
  case when s.state = 'published' then c.published_at end, case when s.state in ('published', 'failed') then now() end,
  '[]', 0, c.traceparent, 1, 2, c.id, c.platform_post_id
from part c
join (values ('waiting', 'scheduled'), ('submitting', 'submitting'), ('done', 'published'), ('failed', 'failed')) as s (comment, state)
  on s.comment = c.comment_state
where c.state = 'published' and c.platform_post_id is not null;
update part set comment_state = 'none' where state = 'published' and comment_state <> 'none';

-- Processes of the release before run beside this one for a while and send first comments by the column comment_state. So each release reads
-- what the other wrote, and a comment that has become a part is no longer theirs. This goes away with the columns comment_*.
create function share_first_comments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.number > 0 then
    update part set comment_state = 'none' where workspace_id = new.workspace_id and id = new.channel_id;
  elsif new.comment_state = 'waiting' and (tg_op = 'INSERT' or old.comment_state = 'none') then
    new.parts := 2;
  elsif new.parts > 1 and (tg_op = 'INSERT' or old.parts = 1) then
    new.comment_state := 'waiting';
  elsif tg_op = 'UPDATE' and new.comment_state = 'none' and old.comment_state = 'waiting' then
    new.parts := 1;
  elsif tg_op = 'UPDATE' and new.parts = 1 and old.parts > 1 then
    new.comment_state := 'none';
  end if;
  return new;
end $$;
create trigger share_new_comment before insert on part for each row
  when (new.parts > 1 or new.comment_state = 'waiting') execute function share_first_comments();
create trigger share_changed_comment before update of parts, comment_state on part for each row
  when (pg_trigger_depth() = 0 and (new.parts <> old.parts or new.comment_state <> old.comment_state)) execute function share_first_comments();

create view channel with (security_invoker = true) as
select workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, generation,
  recover_at, needs_stage, staged, prepared, armed_at, submitted_at, reference, attempts, tries, renew_token, post_url, platform_post_id,
  published_at, late_ms, error, warnings, comment_state, finished_at, outcome, handle_at, not_before, staged_at, waiting_reason, media_count,
  comment_tries, comment_at, comment_submitted_at, wake_at, issues, traceparent, refusals, armed_by, parts
from part
where number = 0;
grant select, insert, update, delete on channel to carillon_app, carillon_system;

-- A post or comment on a platform belongs to the part that published it.
alter table platform_post alter column part set default 'post';
update platform_post set channel_id = substr(md5(channel_id || ' comment'), 1, 24), part = 'post' where part = 'comment';

drop policy part_existing on part;
drop policy part_existing on platform_post;

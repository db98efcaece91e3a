-- compatible: rows that the release before writes are no threads.
-- A thread is a post with further posts, each a part of the channel that answers the part before it.
alter table post add column thread jsonb;
alter table part add column thread_parts smallint not null default 0;

create or replace view channel with (security_invoker = true) as
select workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, generation,
  recover_at, needs_stage, staged, prepared, armed_at, submitted_at, reference, attempts, tries, renew_token, post_url, platform_post_id,
  published_at, late_ms, error, warnings, comment_state, finished_at, outcome, handle_at, not_before, staged_at, waiting_reason, media_count,
  comment_tries, comment_at, comment_submitted_at, wake_at, issues, traceparent, refusals, armed_by, parts, thread_parts
from part
where number = 0;

-- Processes of the release before send first comments by comment_state. The further posts of a thread are none.
create or replace function share_first_comments() returns trigger language plpgsql as $$
begin
  if new.thread_parts > 0 then
    return new;
  elsif tg_op = 'INSERT' and new.number > 0 then
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

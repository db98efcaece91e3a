-- compatible: the release before puts no post into the app of a platform.
-- Until when a person may finish a post that was put into the app of its platform. Set while the channel is `confirming`.
alter table part add column finish_by timestamptz;

create or replace view channel with (security_invoker = true) as
select workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, generation,
  recover_at, needs_stage, staged, prepared, armed_at, submitted_at, reference, attempts, tries, renew_token, post_url, platform_post_id,
  published_at, late_ms, error, warnings, comment_state, finished_at, outcome, handle_at, not_before, staged_at, waiting_reason, media_count,
  comment_tries, comment_at, comment_submitted_at, wake_at, issues, traceparent, refusals, armed_by, parts, thread_parts, finish_by
from part
where number = 0;

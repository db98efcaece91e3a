import { newId } from '../../infra/db/ids.ts'
import type { CheckedChannel } from './check-channels.ts'
import type { NewChannel } from './post.store.ts'

type ChannelPlan = { workspaceId: string; postId: string; nowMs: number; state: 'draft' | 'scheduled'; dueAt: Date | null }

/** Builds the rows of a post's channels. In a draft, violations of a platform's rules are saved as warnings. */
export function buildChannelRows(
  checked: readonly CheckedChannel[],
  { workspaceId, postId, nowMs, state, dueAt }: ChannelPlan,
): NewChannel[] {
  return checked.map((channel, position) => ({
    workspace_id: workspaceId,
    id: newId(nowMs),
    post_id: postId,
    position,
    connection_id: channel.account.id,
    connection_slug: channel.slug,
    target_name: channel.account.targetName,
    platform: channel.account.platform,
    state,
    due_at: dueAt,
    dispatch_at: dueAt,
    needs_stage: channel.needsStage,
    warnings: JSON.stringify(channelWarnings(channel, state)),
    comment_state: channel.hasComment ? 'waiting' : 'none',
    media_count: channel.mediaCount,
  }))
}

export function channelWarnings(channel: CheckedChannel, state: 'draft' | 'scheduled'): string[] {
  return state === 'draft' ? [...channel.violations.map(({ message }) => message), ...channel.warnings] : channel.warnings
}

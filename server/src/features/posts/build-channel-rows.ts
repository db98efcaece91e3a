import type { Issue } from '@carillon/contract'
import { newId } from '../../infra/db/ids.ts'
import type { CheckedChannel } from './check-channels.ts'
import type { NewChannel } from './post.store.ts'

type ChannelPlan = {
  workspaceId: string
  postId: string
  nowMs: number
  state: 'draft' | 'scheduled'
  dueAt: Date | null
  /** The trace of the request. */
  traceparent: string | undefined
}

/** Builds the rows of a post's channels. In a draft, violations of a platform's rules are saved as warnings. */
export function buildChannelRows(
  checked: readonly CheckedChannel[],
  { workspaceId, postId, nowMs, state, dueAt, traceparent }: ChannelPlan,
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
    issues: state === 'draft' ? JSON.stringify(channelIssues(channel)) : null,
    parts: 1 + channel.threadParts + (channel.hasComment ? 1 : 0),
    thread_parts: channel.threadParts,
    media_count: channel.mediaCount,
    traceparent: traceparent ?? null,
  }))
}

export function channelWarnings({ violations, warnings }: CheckedChannel, state: 'draft' | 'scheduled'): string[] {
  const all = state === 'draft' ? [...violations, ...warnings] : warnings
  return all.map(({ message }) => message)
}

/** What a draft's checks found, for programs: violations block publishing, warnings do not. */
export function channelIssues({ violations, warnings }: Pick<CheckedChannel, 'violations' | 'warnings'>): Issue[] {
  return [
    ...violations.map((found) => ({ ...found, blocking: true })),
    ...warnings.map((found) => ({ ...found, blocking: false })),
  ]
}

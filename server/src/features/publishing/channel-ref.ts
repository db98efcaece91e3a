/**
 * A part of a channel as a job names it: `channelId` is that of the channel for its post, and an id of its own for a first comment. A job whose
 * generation is older than the part's does nothing. Generations start over when a database is restored, so a job of an earlier epoch does
 * nothing either.
 */
export type ChannelRef = { workspaceId: string; channelId: string; generation: number; epoch: number }

export type ChannelRefRow = { workspace_id: string; id: string; generation: number; epoch: number }

export function refOf({ workspace_id, id, generation, epoch }: ChannelRefRow): ChannelRef {
  return { workspaceId: workspace_id, channelId: id, generation, epoch }
}

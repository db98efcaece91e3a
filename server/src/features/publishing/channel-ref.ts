/** A channel as a job names it. A job whose generation is older than the channel's does nothing. */
export type ChannelRef = { workspaceId: string; channelId: string; generation: number }

type RefRow = { workspace_id: string; id: string; generation: number }

export function refOf({ workspace_id, id, generation }: RefRow): ChannelRef {
  return { workspaceId: workspace_id, channelId: id, generation }
}

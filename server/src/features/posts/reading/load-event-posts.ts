import type { Db, Tx } from '../../../infra/db/db.ts'
import { findEventPosts } from './event-post.store.ts'
import { presentEventData } from './present-post.ts'

type EventPost = ReturnType<typeof presentEventData>

/** Gives what webhooks are told about posts of any workspace, as they stand now. One deleted meanwhile is undefined. */
export async function loadEventPosts(
  tx: Db | Tx,
  keys: readonly { workspaceId: string; postId: string }[],
): Promise<(workspaceId: string, postId: string) => EventPost | undefined> {
  if (keys.length === 0) return () => undefined
  const name = (workspaceId: string, postId: string) => `${workspaceId}/${postId}`
  const unique = new Map(keys.map((key) => [name(key.workspaceId, key.postId), key]))
  const { posts, channels } = await findEventPosts(tx, [...unique.values()])
  const channelsBy = Map.groupBy(channels, (channel) => name(channel.workspace_id, channel.post_id))
  const told = new Map(
    posts.map((post) => {
      const key = name(post.workspace_id, post.id)
      return [key, presentEventData({ post, channels: channelsBy.get(key) ?? [] })]
    }),
  )
  return (workspaceId, postId) => told.get(name(workspaceId, postId))
}

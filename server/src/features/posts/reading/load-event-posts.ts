import type { Db, Tx } from '../../../infra/db/db.ts'
import { findEventPosts } from './event-post.store.ts'
import { presentEventData } from './present-post.ts'

type EventPost = ReturnType<typeof presentEventData>

/** Loads the event data of posts of any workspace, in their current state. The result for a deleted post is undefined. */
export async function loadEventPosts(
  tx: Db | Tx,
  keys: readonly { workspaceId: string; postId: string }[],
): Promise<(workspaceId: string, postId: string) => EventPost | undefined> {
  if (keys.length === 0) return () => undefined
  const keyOf = (workspaceId: string, postId: string) => `${workspaceId}/${postId}`
  const unique = new Map(keys.map((key) => [keyOf(key.workspaceId, key.postId), key]))
  const { posts, channels } = await findEventPosts(tx, [...unique.values()])
  const channelsBy = Map.groupBy(channels, (channel) => keyOf(channel.workspace_id, channel.post_id))
  const dataByKey = new Map(
    posts.map((post) => {
      const key = keyOf(post.workspace_id, post.id)
      return [key, presentEventData({ post, channels: channelsBy.get(key) ?? [] })]
    }),
  )
  return (workspaceId, postId) => dataByKey.get(keyOf(workspaceId, postId))
}

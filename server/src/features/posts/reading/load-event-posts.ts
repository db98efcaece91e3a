import type { EventName } from '@carillon/contract'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { findEventPosts } from './timeline.store.ts'
import { presentEventData } from './present-post.ts'

type EventPost = ReturnType<typeof presentEventData>

type PostRef = { workspaceId: string; postId: string }

/** Loads the event data of posts of any workspace. The result for a deleted post is undefined. */
export async function loadEventPosts(
  tx: Db | Tx,
  keys: readonly PostRef[],
): Promise<(ref: PostRef, of: { event: EventName; atMs: number }) => EventPost | undefined> {
  if (keys.length === 0) return () => undefined
  const keyOf = ({ workspaceId, postId }: PostRef) => `${workspaceId}/${postId}`
  const unique = new Map(keys.map((key) => [keyOf(key), key]))
  const { posts, channels } = await findEventPosts(tx, [...unique.values()])
  const channelsBy = Map.groupBy(channels, (channel) => keyOf({ workspaceId: channel.workspace_id, postId: channel.post_id }))
  const postBy = new Map(posts.map((post) => [keyOf({ workspaceId: post.workspace_id, postId: post.id }), post]))
  return (ref, of) => {
    const post = postBy.get(keyOf(ref))
    return post && presentEventData({ post, channels: channelsBy.get(keyOf(ref)) ?? [] }, of)
  }
}

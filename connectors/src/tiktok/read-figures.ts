import type { Client, Figures } from '../kit/connector.ts'
import { callApi } from './call-api.ts'
import { readPublicId } from './status.ts'
import { Videos } from './wire.ts'

const idsPerCall = 20
const fields = 'id,view_count,like_count,comment_count,share_count'

/** Reads figures of public posts. If a post has only a publish_id so far, its public id is read first. Private posts have no figures. */
export async function readFigures(client: Client, postIds: readonly string[]): Promise<Map<string, Figures>> {
  const postIdByPublicId = new Map<string, string>()
  for (const postId of postIds) {
    const publicId = await readPublicId(client, postId)
    if (publicId !== null) postIdByPublicId.set(publicId, postId)
  }
  const figures = new Map<string, Figures>()
  const publicIds = [...postIdByPublicId.keys()]
  for (let from = 0; from < publicIds.length; from += idsPerCall) {
    const json = { filters: { video_ids: publicIds.slice(from, from + idsPerCall) } }
    const { videos } = await callApi(client.http, { path: '/v2/video/query/', query: { fields }, json, returns: Videos })
    for (const seen of videos) {
      figures.set(postIdByPublicId.get(seen.id) ?? seen.id, {
        impressions: seen.view_count ?? 0,
        likes: seen.like_count ?? 0,
        comments: seen.comment_count ?? 0,
        shares: seen.share_count ?? 0,
      })
    }
  }
  return figures
}

import type { Call } from '../../http/call.ts'
import { isFields, numberOf, textsOf } from '../../http/fields.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalidParams, ok } from './errors.ts'
import { finishInbox } from './finish-job.ts'
import { publicIdOf, type Job, type TikTokPost } from './job.ts'
import { pickFields } from './pick-fields.ts'

const shownMax = 20
const describedMax = 150

/** The public posts of an account: posts for everyone, after moderation. */
export function videoRoutes(
  context: PlatformContext,
  { jobs, nextId }: { jobs: Map<string, Job>; nextId: () => string },
): Route[] {
  const publicPosts = ({ account }: Session): TikTokPost[] => {
    const own = [...jobs.values()].filter((job) => job.account === account)
    finishInbox(context, own, nextId)
    return own
      .filter((job) => publicIdOf(job, context.settings.processingMs, context.now()) !== undefined)
      .flatMap(({ post }) => post ?? [])
      .filter((post) => context.isVisible(post))
      .toReversed()
  }

  const list = (call: Call, session: Session): Reply => {
    const count = Math.min(shownMax, numberOf(call.fields?.['max_count']) ?? 10)
    const posts = publicPosts(session)
    return ok({ videos: posts.slice(0, count).map((post) => view(post, call)), cursor: 0, has_more: posts.length > count })
  }

  const query = (call: Call, session: Session): Reply => {
    const { filters } = call.fields ?? {}
    const ids = isFields(filters) ? textsOf(filters['video_ids']) : []
    if (ids.length < 1 || ids.length > shownMax) throw invalidParams('video_ids must be 1 to 20')
    const posts = publicPosts(session).filter(({ id }) => ids.includes(id))
    return ok({ videos: posts.map((post) => view(post, call)), cursor: 0, has_more: false })
  }

  const scope = 'video.list'
  const charges = [{ limit: 'videos', cost: 1 }]
  return [
    { method: 'POST', path: '/v2/video/list/', operation: 'find', scope, charges, handle: list },
    { method: 'POST', path: '/v2/video/query/', operation: 'metrics', scope, charges, handle: query },
  ]
}

function view({ id, text, url, atMs, figures = {} }: TikTokPost, call: Call): Record<string, unknown> {
  return pickFields(call.query, {
    id,
    title: text.slice(0, describedMax),
    video_description: text.slice(0, describedMax),
    share_url: url,
    create_time: Math.floor(atMs / 1000),
    view_count: figures.impressions ?? 0,
    like_count: figures.likes ?? 0,
    comment_count: figures.comments ?? 0,
    share_count: figures.shares ?? 0,
  })
}

import type { Call } from '../../http/call.ts'
import { numberOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refusal } from './errors.ts'
import { type Tables, viewComment, viewPost } from './post.ts'
import { listFlairs } from './subreddits.ts'

const pageMax = 100
const idsMax = 100

export function readingRoutes(context: PlatformContext, { posts, comments }: Tables): Route[] {
  const charges = [{ limit: 'queries', cost: 1 }]
  const listing = (children: readonly unknown[], after: string | null) =>
    json(200, { kind: 'Listing', data: { after, before: null, dist: children.length, modhash: null, children } })

  const ownerOf = (call: Call): Account => {
    const owner = context.accounts.find(call.params['name'] ?? '')
    if (!owner) throw refusal(404)
    return owner
  }

  /** Newest first, from after the thing that is named. */
  const pageOf = <Thing extends { id: string }>(call: Call, things: readonly Thing[], view: (thing: Thing) => unknown): Reply => {
    const limit = Math.min(pageMax, Math.max(1, numberOf(call.query.get('limit') ?? undefined) ?? 25))
    const after = call.query.get('after')
    const from = after === null ? 0 : things.findIndex(({ id }) => id === after) + 1
    const page = things.slice(from, from + limit)
    const hasMore = from + limit < things.length
    return listing(page.map(view), hasMore ? (page.at(-1)?.id ?? null) : null)
  }

  const isRaw = (call: Call) => call.query.get('raw_json') === '1'

  return [
    {
      method: 'GET',
      path: '/api/v1/me',
      operation: 'account',
      scope: 'identity',
      charges,
      handle: (_, { account: { id, handle } }) =>
        json(200, { id, name: handle, icon_img: context.avatarUrlOf(handle), is_suspended: false, has_verified_email: true }),
    },
    {
      method: 'GET',
      path: '/user/:name/submitted',
      operation: 'find',
      scope: 'history',
      charges,
      handle(call) {
        const owner = ownerOf(call)
        const shown = [...posts.values()].filter(
          (each) => each.account === owner && !each.deleted && each.shownAtMs <= context.now() && context.isVisible(each),
        )
        const newest = shown.toSorted((a, b) => b.shownAtMs - a.shownAtMs || b.id.localeCompare(a.id))
        return pageOf(call, newest, (post) => viewPost(post, isRaw(call)))
      },
    },
    {
      method: 'GET',
      path: '/user/:name/comments',
      operation: 'find',
      scope: 'history',
      charges,
      handle(call) {
        const owner = ownerOf(call)
        const shown = [...comments.values()].filter((each) => each.account === owner && !each.deleted && context.isVisible(each))
        return pageOf(call, shown.toReversed(), (comment) => viewComment(comment, isRaw(call)))
      },
    },
    {
      method: 'GET',
      path: '/api/info',
      operation: 'other',
      scope: 'read',
      charges,
      handle(call) {
        const ids = (call.query.get('id') ?? '').split(',').slice(0, idsMax)
        const found = ids.flatMap((id) => posts.get(id) ?? []).filter(({ deleted }) => !deleted)
        return listing(
          found.map((post) => viewPost(post, isRaw(call))),
          null,
        )
      },
    },
    {
      method: 'GET',
      path: '/r/:name/api/link_flair_v2',
      operation: 'stage',
      scope: 'flair',
      charges,
      handle: ({ params }) => listFlairs(params['name'] ?? ''),
    },
  ]
}

import { textOf } from '../../http/fields.ts'
import type { Params } from '../../http/call.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { failureWithUsage, graphError, tokenMessages, usageHeaders } from '../meta/graph-errors.ts'
import { checkToken, issueToken } from '../meta/long-token.routes.ts'
import { commentRoutes } from './comments.routes.ts'
import { feedRoutes } from './feed.routes.ts'
import { oauthRoutes } from './oauth.routes.ts'
import { issuePageToken, pageIdOf, pagesOf, tokenPrefixes } from './pages.ts'
import type { FacebookPost, Photo, Tables, Video } from './post.ts'
import { readingRoutes } from './reading.routes.ts'
import { videoRoutes } from './videos.routes.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  // 4,800 × people who engaged with the page, of whom a page of some size has ten.
  calls: { max: 48_000, windowMs: dayMs, per: 'account' },
  reels: { max: 30, windowMs: dayMs, per: 'account' },
}
const settings: Partial<PlatformSettings> = { app: null, duplicateFilter: true }
const hidden = [
  'message',
  'caption',
  'description',
  'title',
  'link',
  'attached_media',
  'photo_id',
  'video_id',
  'upload_phase',
  'upload_session_id',
  'access_token',
]

export const facebook: PlatformFactory = { name: 'facebook', create }

/** The Pages API with Facebook Login. */
function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('facebook', simulator, { limits, settings })
  const tables: Tables = {
    posts: context.createTable<FacebookPost>('posts'),
    photos: context.createTable<Photo>('photos'),
    videos: context.createTable<Video>('videos'),
    nextId: () => String(122_000_000_000_000_000n + BigInt(context.nextNumber())),
  }
  // A comment has the URL of the post it is about, and no page of its own.
  const byOwnId = ({ id }: Params) => context.findPost((post) => post.replyTo === null && post.id.endsWith(`_${id}`))

  const platform: Platform = {
    context,
    title: 'Facebook',
    colour: '#0866ff',
    countText: ({ length }) => length,
    routes: [
      ...oauthRoutes(context, () => platform),
      ...feedRoutes(context, tables),
      ...videoRoutes(context, tables),
      ...commentRoutes(context, tables),
      ...readingRoutes(context, tables),
    ],
    pages: [
      { path: '/:handle/posts/:id', find: byOwnId },
      { path: '/stories/:id', find: byOwnId },
      { path: '/reel/:id', find: ({ id }) => tables.videos.get(id ?? '')?.post },
    ],
    profile: { path: '/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ title, link }) => {
      const url = textOf(link)
      const card = url === undefined ? undefined : { url, title: undefined, description: undefined }
      return { title: textOf(title), link: card, hidden }
    },
    accountIdOf: (handle) => pageIdOf(context.name, handle),
    issueCredentials(account) {
      const owner = issueToken(context, tokenPrefixes.long, { account })
      const pages = pagesOf(context, account).map((page) => [page.id, issuePageToken(context, page, owner).value])
      return { accessToken: owner.value, extra: Object.fromEntries(pages) }
    },
    // The host for uploads has a word of its own in the header.
    tokenOf: (call) =>
      call.bearer() ?? /^OAuth (\S+)$/.exec(call.headers.authorization ?? '')?.[1] ?? call.parameter('access_token'),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure: (status, retryAfterSeconds) => failureWithUsage(status, 'pages', retryAfterSeconds),
    expiredToken: () => graphError(400, { message: tokenMessages.expired, code: 190, subcode: 463 }),
    rateHeaders: usageHeaders,
  }
  return platform
}

import { textOf } from '../../http/fields.ts'
import type { Params } from '../../http/call.ts'
import { Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { failure } from './errors.ts'
import { issuePair, oauthRoutes } from './oauth.routes.ts'
import type { RedditComment, RedditPost, Tables } from './post.ts'
import { countText, postRoutes } from './posts.routes.ts'
import { readingRoutes } from './reading.routes.ts'
import { uploadRoutes } from './uploads.routes.ts'

const limits: Record<string, Limit> = {
  // A hundred a minute for an app, counted over ten minutes. Tests share one app, so each account has them here.
  queries: { max: 1000, windowMs: 600_000, per: 'account' },
}
const settings: Partial<PlatformSettings> = { app: null }
const hidden = [
  'title',
  'text',
  'kind',
  'url',
  'link',
  'sr',
  'api_type',
  'items',
  'resubmit',
  'validate_on_submit',
  'show_error_list',
]

export const reddit: PlatformFactory = { name: 'reddit', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('reddit', simulator, { limits, settings })
  const tables: Tables = {
    posts: context.createTable<RedditPost>('posts'),
    comments: context.createTable<RedditComment>('comments'),
  }
  const byId = ({ id }: Params) => context.findPost((post) => post.id === `t3_${id}`)
  const platform: Platform = {
    context,
    title: 'Reddit',
    colour: '#ff4500',
    countText,
    routes: [
      ...oauthRoutes(context, () => platform),
      ...postRoutes(context, tables),
      ...uploadRoutes(context),
      ...readingRoutes(context, tables),
    ],
    pages: [
      { path: '/r/:sr/comments/:id/:words/', find: byId },
      { path: '/user/:name/comments/:id/:words/', find: byId },
      { path: '/r/:sr/comments/:link/:words/:id/', find: ({ id }) => context.findPost((post) => post.id === `t1_${id}`) },
      { path: '/user/:name/comments/:link/:words/:id/', find: ({ id }) => context.findPost((post) => post.id === `t1_${id}`) },
    ],
    profile: { path: '/user/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ title, link, sr }) => {
      const url = textOf(link)
      const card = url === undefined ? undefined : { url, title: undefined, description: undefined }
      return { title: textOf(title), visibility: sr === undefined ? undefined : `r/${textOf(sr)}`, link: card, hidden }
    },
    accountIdOf: (handle) => BigInt(accountNumber(context.name, handle, 9)).toString(36),
    issueCredentials(account) {
      const { access, refresh } = issuePair(context, account)
      return { accessToken: access.value, expiresAtMs: access.expiresAtMs, refreshToken: refresh.value }
    },
    tokenOf: (call) => call.bearer(),
    checkToken(token, { scope }) {
      if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
      if (scope !== undefined && token.scopes?.has(scope) === false) throw new Refusal(failure(403))
      return token
    },
    failure(status, retryAfterSeconds) {
      const reply = failure(status)
      if (status === 429) Object.assign(reply.headers, rateHeaders(0, retryAfterSeconds ?? 420))
      return reply
    },
    expiredToken: () => failure(401),
    rateHeaders: ({ remaining, resetAtMs }) => rateHeaders(remaining, Math.ceil((resetAtMs - context.now()) / 1000)),
  }
  return platform
}

function rateHeaders(remaining: number, resetSeconds: number) {
  return {
    'x-ratelimit-used': String(1000 - remaining),
    'x-ratelimit-remaining': `${remaining}.0`,
    'x-ratelimit-reset': String(resetSeconds),
  }
}

import { textOf } from '../../http/fields.ts'
import { Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import type { Limit, LimitStatus } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { countText } from './blocks.ts'
import { blogIdOf, userRoutes } from './blogs.ts'
import { failure } from './errors.ts'
import { issuePair, oauthRoutes } from './oauth.routes.ts'
import { postRoutes } from './posts.routes.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const limits: Record<string, Limit> = {
  // New apps have 1,000 calls an hour. Tests share one app, so it is one for which Tumblr has raised this, to the limit of its address.
  hour: { max: 18_000, windowMs: hourMs, per: 'platform' },
  posts: { max: 250, windowMs: dayMs, per: 'account' },
  images: { max: 250, windowMs: dayMs, per: 'account' },
  videos: { max: 20, windowMs: dayMs, per: 'account' },
}
const settings: Partial<PlatformSettings> = { app: null, singleUseRefreshTokens: true }

export const tumblr: PlatformFactory = { name: 'tumblr', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('tumblr', simulator, { limits, settings })
  const platform: Platform = {
    context,
    title: 'Tumblr',
    colour: '#001935',
    countText,
    routes: [...oauthRoutes(context, () => platform), ...userRoutes(context), ...postRoutes(context)],
    // Digits only, because the consent page has a path of two parts, too.
    pages: [{ path: '/:handle/:id(^\\d+$)', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ title, link }) => {
      const url = textOf(link)
      return {
        title: textOf(title),
        link: url === undefined ? undefined : { url, title: undefined, description: undefined },
        hidden: ['title', 'link', 'content', 'layout', 'state', 'slug', 'json'],
      }
    },
    accountIdOf: (handle) => blogIdOf(context.name, handle),
    issueCredentials(account) {
      const { access, refresh } = issuePair(context, account)
      return { accessToken: access.value, expiresAtMs: access.expiresAtMs, ...(refresh && { refreshToken: refresh.value }) }
    },
    tokenOf: (call) => call.bearer(),
    checkToken(token, { scope }) {
      if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
      if (scope !== undefined && token.scopes?.has(scope) === false) throw new Refusal(failure(403))
      return token
    },
    failure(status, retryAfterSeconds) {
      const reply = failure(status)
      if (status === 429) Object.assign(reply.headers, hourHeaders(1000, 0, retryAfterSeconds ?? 2132))
      return reply
    },
    expiredToken: () => failure(401),
    rateHeaders: ({ limit, max, remaining, resetAtMs }: LimitStatus) =>
      limit === 'hour' ? hourHeaders(max, remaining, Math.ceil((resetAtMs - context.now()) / 1000)) : {},
  }
  return platform
}

/** Seconds, and those of the day beside them (subnomo/tumblr-likes issue 25). */
function hourHeaders(max: number, remaining: number, resetSeconds: number) {
  return {
    'x-ratelimit-perday-limit': '432000',
    'x-ratelimit-perday-remaining': '431000',
    'x-ratelimit-perday-reset': '84932',
    'x-ratelimit-perhour-limit': String(max),
    'x-ratelimit-perhour-remaining': String(remaining),
    'x-ratelimit-perhour-reset': String(resetSeconds),
  }
}

import type { Params } from '../../http/call.ts'
import { json, Refusal, type Reply } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import { accountNumber, createSnowflake } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { createTweets, isLongAccount } from './create-tweets.ts'
import { mediaRoutes } from './media.routes.ts'
import { issuePair, oauthRoutes } from './oauth.routes.ts'
import { problem } from './problems.ts'
import { weighText } from './weigh-text.ts'

const epochMs = 1_288_834_974_657
const quarterMs = 900_000
const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  posts: { max: 100, windowMs: quarterMs, per: 'account' },
  appPosts: { max: 10_000, windowMs: dayMs, per: 'platform' },
  deletes: { max: 50, windowMs: quarterMs, per: 'account' },
  timelines: { max: 900, windowMs: quarterMs, per: 'account' },
  lookups: { max: 900, windowMs: quarterMs, per: 'account' },
  me: { max: 75, windowMs: quarterMs, per: 'account' },
  uploads: { max: 500, windowMs: quarterMs, per: 'account' },
  uploadStatus: { max: 1000, windowMs: quarterMs, per: 'account' },
  chunks: { max: 1875, windowMs: quarterMs, per: 'account' },
  metadata: { max: 500, windowMs: quarterMs, per: 'account' },
}

/** Apps report that X refuses identical recent text. Its documentation mentions neither the rule nor the time; one hour is assumed. */
const duplicateWindowMs = 3_600_000
const settings: Partial<PlatformSettings> = { app: null, duplicateFilter: true, duplicateWindowMs, singleUseRefreshTokens: true }

export const x: PlatformFactory = { name: 'x', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('x', simulator, { limits, settings })
  const snowflake = createSnowflake(epochMs, 22n)
  const nextId = () => snowflake(context.now())
  const tweets = createTweets(context, nextId)
  const byId = ({ id }: Params) => context.findPost((post) => post.id === id)
  const platform: Platform = {
    context,
    title: 'X',
    colour: '#536471',
    countText: weighText,
    routes: [...tweets.routes, ...mediaRoutes(context, nextId), ...userRoutes(context), ...oauthRoutes(context, () => platform)],
    pages: [
      { path: '/i/status/:id', find: byId },
      { path: '/:handle/status/:id', find: byId },
    ],
    profile: { path: '/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: () => ({ hidden: ['text', 'media', 'reply'] }),
    accountIdOf: (handle) => accountNumber(context.name, handle, 18),
    issueCredentials(account) {
      const { access, refresh } = issuePair(context, account)
      return { accessToken: access.value, expiresAtMs: access.expiresAtMs, ...(refresh ? { refreshToken: refresh.value } : {}) }
    },
    tokenOf: (call) => call.bearer(),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure: (status, retryAfterSeconds) => failure(context, status, retryAfterSeconds),
    expiredToken: () => problem(401),
    rateHeaders: ({ max, remaining, resetAtMs }) => rateHeaders(max, remaining, resetAtMs),
  }
  return platform
}

function userRoutes(context: PlatformContext): Route[] {
  return [
    {
      method: 'GET',
      path: '/2/users/me',
      operation: 'account',
      scope: 'users.read',
      charges: [{ limit: 'me', cost: 1 }],
      handle({ query }, { account }) {
        const fields = new Set((query.get('user.fields') ?? '').split(','))
        const data: Record<string, unknown> = { id: account.id, name: account.handle, username: account.handle }
        if (fields.has('profile_image_url')) data['profile_image_url'] = context.avatarUrlOf(account.handle)
        const isVerified = isLongAccount(account)
        if (fields.has('verified')) data['verified'] = isVerified
        if (fields.has('verified_type')) data['verified_type'] = isVerified ? 'blue' : 'none'
        if (fields.has('subscription_type')) data['subscription_type'] = isVerified ? 'Premium' : 'None'
        if (fields.has('public_metrics')) {
          data['public_metrics'] = { followers_count: 0, following_count: 0, tweet_count: account.posts.length, listed_count: 0 }
        }
        return json(200, { data })
      },
    },
  ]
}

function checkToken(context: PlatformContext, token: Token | undefined, scope: string | undefined): Token {
  if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(problem(401))
  if (scope !== undefined && token.scopes?.has(scope) === false) {
    throw new Refusal(problem(403, 'You are not permitted to perform this action.'))
  }
  return token
}

function failure(context: PlatformContext, status: number, retryAfterSeconds: number | undefined): Reply {
  const reply = problem(status)
  if (status === 429) Object.assign(reply.headers, rateHeaders(100, 0, context.now() + (retryAfterSeconds ?? 900) * 1000))
  return reply
}

function rateHeaders(max: number, remaining: number, resetAtMs: number) {
  return {
    'x-rate-limit-limit': String(max),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(Math.ceil(resetAtMs / 1000)),
  }
}

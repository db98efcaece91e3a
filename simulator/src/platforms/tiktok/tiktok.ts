import type { Params } from '../../http/call.ts'
import { Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountDigest, createSnowflake } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { creatorRoutes } from './creator.routes.ts'
import { describeInit } from './describe-init.ts'
import { failure, refuseWith } from './errors.ts'
import type { Job } from './job.ts'
import { issuePair, oauthRoutes } from './oauth.routes.ts'
import { publishingRoutes } from './publishing.routes.ts'
import { videoRoutes } from './videos.routes.ts'

const minuteMs = 60_000
const limits: Record<string, Limit> = {
  creatorInfo: { max: 20, windowMs: minuteMs, per: 'account' },
  videoInit: { max: 6, windowMs: minuteMs, per: 'account' },
  photoInit: { max: 6, windowMs: minuteMs, per: 'account' },
  status: { max: 30, windowMs: minuteMs, per: 'account' },
  videos: { max: 600, windowMs: minuteMs, per: 'account' },
  posts: { max: 15, windowMs: 1440 * minuteMs, per: 'account' },
}

const settings: Partial<PlatformSettings> = { app: null, singleUseRefreshTokens: true }

export const tiktok: PlatformFactory = { name: 'tiktok', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('tiktok', simulator, { limits, settings })
  const snowflake = createSnowflake(0, 22n)
  const nextId = () => snowflake(context.now())
  const jobs = context.createTable<Job>('jobs')
  const byId = ({ id }: Params) => context.findPost((post) => post.id === id)
  const platform: Platform = {
    context,
    title: 'TikTok',
    colour: '#fe2c55',
    countText: ({ length }) => length,
    routes: [
      ...publishingRoutes(context, { jobs, nextId }),
      ...videoRoutes(context, { jobs, nextId }),
      ...creatorRoutes(context),
      ...oauthRoutes(context, () => platform),
    ],
    pages: [
      { path: '/@:handle/video/:id', find: byId },
      { path: '/@:handle/photo/:id', find: byId },
    ],
    profile: { path: '/@:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: describeInit,
    accountIdOf: (handle) => `-000${accountDigest(context.name, handle).toString('base64url').slice(0, 32)}`,
    issueCredentials(account) {
      const { access, refresh } = issuePair(context, account)
      return { accessToken: access.value, refreshToken: refresh.value, expiresAtMs: access.expiresAtMs }
    },
    tokenOf: (call) => call.bearer(),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure,
    expiredToken: () => failure(401),
    rateHeaders: () => ({}),
  }
  return platform
}

function checkToken(context: PlatformContext, token: Token | undefined, scope: string | undefined): Token {
  if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
  if (scope !== undefined && token.scopes?.has(scope) === false)
    throw refuseWith(401, 'scope_not_authorized', 'The user did not authorize the scope required.')
  return token
}

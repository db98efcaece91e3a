import { Refusal } from '../../http/reply.ts'
import type { AccessRequest, Platform, PlatformFactory } from '../../platform.ts'
import { createSnowflake } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import type { Asset } from './asset.ts'
import { urnOf } from './author.ts'
import { describePost } from './describe-post.ts'
import { badTokens, failure } from './errors.ts'
import { memberRoutes } from './members.routes.ts'
import { issueAccess, issueRefresh, oauthRoutes } from './oauth.routes.ts'
import { postRoutes, type Share } from './posts.routes.ts'
import { socialRoutes } from './social.routes.ts'
import { uploadRoutes } from './uploads.routes.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  requests: { max: 150, windowMs: dayMs, per: 'account' },
  appRequests: { max: 100_000, windowMs: dayMs, per: 'platform' },
}

/** Documented as "about ten minutes" for the older ugcPosts API; the simulator assumes the same for /rest/posts. */
const duplicateWindowMs = 600_000
const settings: Partial<PlatformSettings> = {
  app: null,
  duplicateFilter: true,
  duplicateWindowMs,
  refreshTokens: true,
  singleUseRefreshTokens: false,
}

export const linkedin: PlatformFactory = { name: 'linkedin', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('linkedin', simulator, { limits, settings })
  // The upper bits of a LinkedIn id are its creation time.
  const snowflake = createSnowflake(0, 22n)
  const nextId = () => snowflake(context.now())
  const tables = { assets: context.createTable<Asset>('assets'), shares: context.createTable<Share>('shares'), nextId }
  const platform: Platform = {
    context,
    title: 'LinkedIn',
    colour: '#0a66c2',
    countText: ({ length }) => length,
    routes: [
      ...postRoutes(context, tables),
      ...socialRoutes(context, tables),
      ...uploadRoutes(context, tables),
      ...memberRoutes(context),
      ...oauthRoutes(context, () => platform),
    ],
    pages: [{ path: '/feed/update/:urn/', find: ({ urn }) => context.findPost(({ id }) => id === urn) }],
    profile: { path: '/in/:handle/', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: describePost,
    accountIdOf: (handle) => urnOf(context.name, handle),
    issueCredentials(account) {
      const refresh = issueRefresh(context, { account })
      const access = issueAccess(context, { account })
      return { accessToken: access.value, expiresAtMs: access.expiresAtMs, ...(refresh ? { refreshToken: refresh.value } : {}) }
    },
    tokenOf: (call) => call.bearer(),
    checkToken: (token, request) => checkToken(context, token, request),
    failure,
    expiredToken: () => badTokens.expired,
    rateHeaders: () => ({}),
  }
  return platform
}

function checkToken(context: PlatformContext, token: Token | undefined, { sentToken }: AccessRequest): Token {
  if (token?.kind !== 'access') throw new Refusal({ ...(sentToken === undefined ? badTokens.missing : badTokens.unknown) })
  const state = stateOf(token, context.now())
  if (state !== 'live') throw new Refusal({ ...badTokens[state] })
  return token
}

import { Refusal } from '../../http/reply.ts'
import type { Asked, Platform, PlatformFactory } from '../../platform.ts'
import { createSnowflake } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { Realm } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import type { World } from '../../state/simulator-state.ts'
import type { Asset } from './asset.ts'
import { badTokens, failure } from './errors.ts'
import { urnOf } from './author.ts'
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

export const linkedin: PlatformFactory = { name: 'linkedin', create }

function create(world: World): Platform {
  const realm = new Realm('linkedin', world, limits)
  // The upper bits of a LinkedIn id are its moment.
  const snowflake = createSnowflake(0, 22n)
  const nextId = () => snowflake(realm.now())
  const shelf = { assets: realm.shelf<Asset>(), shares: realm.shelf<Share>(), nextId }
  const platform: Platform = {
    realm,
    title: 'LinkedIn',
    colour: '#0a66c2',
    routes: [
      ...postRoutes(realm, shelf),
      ...socialRoutes(realm, shelf),
      ...uploadRoutes(realm, shelf),
      ...memberRoutes(realm),
      ...oauthRoutes(realm, () => platform),
    ],
    pages: [{ path: '/feed/update/:urn/', find: ({ urn }) => shelf.shares.get(urn ?? '') }],
    accountIdOf: (handle) => urnOf(realm.name, handle),
    issueCredentials(account) {
      const refresh = issueRefresh(realm, { account })
      const access = issueAccess(realm, { account })
      return { accessToken: access.value, refreshToken: refresh.value, expiresAtMs: access.expiresAtMs }
    },
    tokenOf: (call) => call.bearer(),
    admit: (token, asked) => admit(realm, token, asked),
    failure,
    expiredToken: () => badTokens.expired,
    rateHeaders: () => ({}),
  }
  return platform
}

function admit(realm: Realm, token: Token | undefined, { sent }: Asked): Token {
  if (token?.kind !== 'access') throw new Refusal({ ...(sent === undefined ? badTokens.missing : badTokens.unknown) })
  const state = stateOf(token, realm.now())
  if (state !== 'live') throw new Refusal({ ...badTokens[state] })
  return token
}

import { Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit, LimitStatus } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { failure } from './errors.ts'
import { mediaRoutes, type Registered } from './media.routes.ts'
import { issuePair, oauthRoutes } from './oauth.routes.ts'
import { describePin, type Pin } from './pin.ts'
import { countText, pinRoutes } from './pins.routes.ts'

/** Of an app with Standard access, for each of its people. */
const limits: Record<string, Limit> = {
  read: { max: 1000, windowMs: 60_000, per: 'account' },
  write: { max: 100, windowMs: 60_000, per: 'account' },
}
const settings: Partial<PlatformSettings> = { app: null }

export const pinterest: PlatformFactory = { name: 'pinterest', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('pinterest', simulator, { limits, settings })
  const pins = context.createTable<Pin>('pins')
  const registered = context.createTable<Registered>('media')
  const platform: Platform = {
    context,
    title: 'Pinterest',
    colour: '#bd081c',
    countText,
    routes: [
      ...oauthRoutes(context, () => platform),
      ...mediaRoutes(context, registered),
      ...pinRoutes(context, { pins, registered }),
    ],
    pages: [{ path: '/pin/:id/', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/:handle/_created/', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: describePin,
    accountIdOf: (handle) => accountNumber(context.name, handle, 18),
    issueCredentials(account) {
      const { access, refresh } = issuePair(context, account)
      return { accessToken: access.value, expiresAtMs: access.expiresAtMs, refreshToken: refresh.value }
    },
    tokenOf: (call) => call.bearer(),
    checkToken(token, { scope = '' }) {
      if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
      const missing = scope.split(' ').filter((each) => token.scopes?.has(each) === false)
      if (missing.length > 0) throw new Refusal(failure(403, 3, `Authorization failed. Missing: ${missing.join(', ')}`))
      return token
    },
    failure(status, retryAfterSeconds) {
      const reply = failure(status)
      if (status === 429) reply.headers['x-ratelimit-reset'] = String(retryAfterSeconds ?? 42)
      return reply
    },
    expiredToken: () => failure(401),
    rateHeaders: ({ limit, max, windowMs, remaining, resetAtMs }: LimitStatus) => ({
      'x-ratelimit-limit': `${max}, ${max};w=${windowMs / 1000};name="org_${limit}"`,
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.ceil((resetAtMs - context.now()) / 1000)),
    }),
  }
  return platform
}

import { textOf } from '../../http/fields.ts'
import { json, Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { failure } from './errors.ts'
import { mediaRoutes } from './media.routes.ts'
import { issuePair, oauthRoutes } from './oauth.routes.ts'
import { serverOf, viewInstance } from './server.ts'
import { countText, statusRoutes, viewAccount } from './statuses.routes.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  calls: { max: 1000, windowMs: 60_000, per: 'account' },
  posts: { max: 1000, windowMs: dayMs, per: 'account' },
  uploads: { max: 1250, windowMs: dayMs, per: 'account' },
}

export const pixelfed: PlatformFactory = { name: 'pixelfed', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('pixelfed', simulator, { limits })
  const platform: Platform = {
    context,
    title: 'Pixelfed',
    colour: '#3f3f3f',
    countText,
    routes: [
      ...oauthRoutes(context, () => platform),
      ...mediaRoutes(context),
      ...statusRoutes(context),
      {
        method: 'GET',
        path: '/api/v1/accounts/verify_credentials',
        operation: 'account',
        scope: 'read',
        handle: (_, { account }) => json(200, viewAccount(context, account)),
      },
      {
        method: 'GET',
        path: '/api/v2/instance',
        operation: 'other',
        open: true,
        findAccount: (call) => context.tokens.find(call.bearer())?.account,
        answer: (call) =>
          json(200, viewInstance(context, serverOf(context.tokens.find(call.bearer())?.account ?? { handle: '' }))),
      },
    ],
    pages: [{ path: '/p/:handle/:id', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ visibility }) => ({
      visibility: textOf(visibility),
      hidden: ['status', 'media_ids', 'in_reply_to_id', 'visibility'],
    }),
    accountIdOf: (handle) => accountNumber(context.name, handle, 18),
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
      if (status === 429) reply.headers['retry-after'] = String(retryAfterSeconds ?? 60)
      return reply
    },
    expiredToken: () => failure(401),
    rateHeaders: ({ max, remaining }) => ({ 'x-ratelimit-limit': String(max), 'x-ratelimit-remaining': String(remaining) }),
  }
  return platform
}

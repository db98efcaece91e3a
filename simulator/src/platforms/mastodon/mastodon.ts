import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import { accountNumber, randomToken } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { countStatus } from './count-status.ts'
import { createStatuses } from './create-statuses.ts'
import { fail, messageOf } from './errors.ts'
import { mediaRoutes } from './media.routes.ts'
import { oauthRoutes } from './oauth.routes.ts'
import { viewAccount } from './status.ts'
import { serverOf } from './server-kinds.ts'
import { viewInstance, viewOldInstance } from './view-instance.ts'

const minuteMs = 60_000
const limits: Record<string, Limit> = {
  api: { max: 300, windowMs: 5 * minuteMs, per: 'account' },
  statuses: { max: 300, windowMs: 180 * minuteMs, per: 'account' },
  media: { max: 30, windowMs: 30 * minuteMs, per: 'account' },
  deletes: { max: 30, windowMs: 30 * minuteMs, per: 'account' },
}

const settings: Partial<PlatformSettings> = { idempotencyKeys: true }

export const mastodon: PlatformFactory = { name: 'mastodon', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('mastodon', simulator, { limits, settings })
  const statuses = createStatuses(context)
  const platform: Platform = {
    context,
    title: 'Mastodon',
    colour: '#6364ff',
    countText: (text) => countStatus(text, '', serverOf(undefined).linkLength),
    routes: [...statuses.routes, ...mediaRoutes(context), ...accountRoutes(context), ...oauthRoutes(context, () => platform)],
    pages: [{ path: '/@:handle/:id', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/@:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ visibility }) => ({
      visibility: textOf(visibility),
      hidden: ['status', 'media_ids', 'in_reply_to_id', 'visibility'],
    }),
    accountIdOf: (handle) => accountNumber(context.name, handle, 18),
    issueCredentials(account) {
      // As documented, the token never expires and there is no refresh token.
      const { value } = context.tokens.issue({
        value: randomToken(),
        kind: 'access',
        account,
        issuedAtMs: context.now(),
        expiresAtMs: context.now() + context.accessLifetimeMs(Infinity),
      })
      return { accessToken: value }
    },
    tokenOf: (call) => call.bearer() ?? call.parameter('access_token'),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure: (status, retryAfterSeconds) => failure(context, status, retryAfterSeconds),
    expiredToken: () => json(401, { error: 'The access token expired' }),
    rateHeaders: ({ max, remaining, resetAtMs }) => ({
      'x-ratelimit-limit': String(max),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': new Date(resetAtMs).toISOString(),
    }),
  }
  return platform
}

function accountRoutes(context: PlatformContext): Route[] {
  const charges = [{ limit: 'api', cost: 1 }]
  const findAccount = (call: Call) => context.tokens.find(call.bearer())?.account
  return [
    {
      method: 'GET',
      path: '/api/v1/accounts/verify_credentials',
      operation: 'account',
      scope: 'read:accounts',
      charges,
      handle: (_, { account }) =>
        json(200, { ...viewAccount(context, account), source: { privacy: 'public', sensitive: false, language: null } }),
    },
    {
      method: 'GET',
      path: '/api/v2/instance',
      operation: 'other',
      open: true,
      findAccount,
      answer(call) {
        const server = serverOf(findAccount(call))
        return server.isOld ? json(404, { error: messageOf(404) }) : json(200, viewInstance(context, server))
      },
    },
    {
      method: 'GET',
      path: '/api/v1/instance',
      operation: 'other',
      open: true,
      findAccount,
      answer: (call) => json(200, viewOldInstance(context, serverOf(findAccount(call)))),
    },
  ]
}

/** `write` includes `write:statuses`; `profile` is enough to read the own account. */
function checkToken(context: PlatformContext, token: Token | undefined, scope: string | undefined): Token {
  if (!token) throw fail(401)
  const state = stateOf(token, context.now())
  if (state !== 'live') throw fail(401, state === 'revoked' ? 'The access token was revoked' : 'The access token expired')
  const { scopes } = token
  if (scope === undefined || scopes === undefined || scopes.has(scope) || scopes.has(scope.split(':')[0] ?? '')) return token
  if (scope === 'read:accounts' && scopes.has('profile')) return token
  throw fail(403, 'This action is outside the authorized scopes')
}

function failure(context: PlatformContext, status: number, retryAfterSeconds: number | undefined): Reply {
  const resetAtMs = context.now() + (retryAfterSeconds ?? 300) * 1000
  const headers = {
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': new Date(resetAtMs).toISOString(),
  }
  return json(status, { error: messageOf(status) }, status === 429 ? headers : {})
}

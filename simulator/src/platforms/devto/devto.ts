import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import { accountNumber, randomToken } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { articleRoutes, countText } from './articles.routes.ts'
import { failure, refusal } from './errors.ts'

/** The real site takes one writing call in a second as well. Tests that send twice at once would all meet that, so it is left out. */
const limits: Record<string, Limit> = {
  articles: { max: 10, windowMs: 30_000, per: 'account' },
  reads: { max: 30, windowMs: 60_000, per: 'account' },
}

export const devto: PlatformFactory = { name: 'devto', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('devto', simulator, { limits })
  return {
    context,
    title: 'DEV',
    colour: '#0a0a0a',
    countText,
    routes: [me(context), ...articleRoutes(context)],
    pages: [{ path: '/:handle/:slug', find: ({ slug }) => context.findPost(({ url }) => url.endsWith(`/${slug}`)) }],
    profile: { path: '/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ title, published }) => ({
      title: textOf(title),
      visibility: published === false ? 'draft' : undefined,
      hidden: ['title', 'body_markdown', 'published'],
    }),
    accountIdOf: (handle) => accountNumber(context.name, handle, 7),
    issueCredentials(account) {
      const issuedAtMs = context.now()
      const expiresAtMs = issuedAtMs + context.accessLifetimeMs(Infinity)
      return {
        accessToken: context.tokens.issue({ value: randomToken(18), kind: 'access', account, issuedAtMs, expiresAtMs }).value,
      }
    },
    tokenOf: ({ headers }) => textOf(headers['api-key']),
    checkToken(token) {
      if (!token || stateOf(token, context.now()) !== 'live') throw refusal(401)
      return token
    },
    failure: (status) => failure(status),
    expiredToken: () => failure(401),
    rateHeaders: ({ exceeded, resetAtMs }) =>
      exceeded ? { 'retry-after': String(Math.ceil((resetAtMs - context.now()) / 1000)) } : {},
  }
}

function me(context: PlatformContext): Route {
  return {
    method: 'GET',
    path: '/api/users/me',
    operation: 'account',
    charges: [{ limit: 'reads', cost: 1 }],
    handle: (_, { account: { id, handle } }) =>
      json(200, { type_of: 'user', id: Number(id), username: handle, name: handle, profile_image: context.avatarUrlOf(handle) }),
  }
}

import { randomBytes } from 'node:crypto'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { failure, refusal } from './errors.ts'
import { findSigner } from './find-signer.ts'
import { countText, describeRequest, receiverRoutes } from './receiver.routes.ts'

const limits: Record<string, Limit> = { posts: { max: 60, windowMs: 60_000, per: 'account' } }

const secretBytes = 24

export const http: PlatformFactory = { name: 'http', create }

/** A receiver as docs/guides/own-platform.md describes it. Accounts differ by their secrets. */
function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('http', simulator, { limits, settings: { idempotencyKeys: true } })
  return {
    context,
    title: 'Own platform',
    colour: '#5b6470',
    countText,
    routes: receiverRoutes(context),
    pages: [{ path: '/@:handle/:id', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/@:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: describeRequest,
    accountIdOf: (handle) => accountNumber(context.name, handle, 12),
    issueCredentials(account) {
      const { value } = context.tokens.issue({
        value: `whsec_${randomBytes(secretBytes).toString('base64')}`,
        kind: 'access',
        account,
        issuedAtMs: context.now(),
        expiresAtMs: context.now() + context.accessLifetimeMs(Infinity),
      })
      return { accessToken: value }
    },
    tokenOf: (call) => findSigner(context, call),
    checkToken(token) {
      if (!token || stateOf(token, context.now()) !== 'live') throw refusal(401)
      return token
    },
    failure: (status, retryAfterSeconds) => failure(status, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    expiredToken: () => failure(401),
    rateHeaders: () => ({}),
  }
}

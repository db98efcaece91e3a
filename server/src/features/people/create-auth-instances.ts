import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { createAuth, type Auth } from './create-auth.ts'
import { discoverOidc, oidcId } from './discover-oidc.ts'

export type AuthInstances = {
  /** With the identity provider only after `withOidc` succeeded once. */
  current(): Auth
  /** With the identity provider. Its discovery document is requested again on every call until one request has succeeded. */
  withOidc(): Promise<Auth>
}

/** Two instances, because the identity provider may be down or slow when we start, and people with a password must not wait for it. */
export function createAuthInstances(ctx: Context): AuthInstances {
  const { oidc, signUp } = ctx.config
  let auth = createAuth(ctx, null)
  let pending: Promise<Auth> | null = null

  async function createWithOidc(): Promise<Auth> {
    if (!oidc) throw problem('route_not_found')
    const provider = await discoverOidc(oidc, { isOpen: signUp === 'open' })
    const next = createAuth(ctx, provider)
    const { socialProviders } = await next.$context
    if (!socialProviders.some(({ id }) => id === oidcId)) throw new Error('the discovery document lacks a required field')
    auth = next
    return next
  }

  return {
    current: () => auth,
    async withOidc() {
      pending ??= createWithOidc()
      try {
        return await pending
      } catch (cause) {
        pending = null
        if (!oidc) throw cause
        ctx.log.warn({ err: cause, issuer: oidc.issuer }, 'the discovery document of the identity provider could not be read')
        throw problem('unavailable', { cause, message: `${oidc.name} is not answering; try again shortly.` })
      }
    },
  }
}

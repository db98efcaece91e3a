import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { createAuth, type Auth } from './create-auth.ts'
import { discoverOidc, oidcId } from './discover-oidc.ts'

export type AuthInstances = {
  auth(): Auth
  /** With the identity provider, which is asked how it is spoken to until it has answered once. */
  withOidc(): Promise<Auth>
}

/** The identity provider may be down when we start, or slow: people with a password must not wait for it. */
export function createAuthInstances(ctx: Context): AuthInstances {
  const { oidc, signUp } = ctx.config
  let auth = createAuth(ctx, null)
  let complete: Promise<Auth> | null = null

  async function complement(): Promise<Auth> {
    if (!oidc) throw problem('route_not_found')
    const provider = await discoverOidc(oidc, { isOpen: signUp === 'open' })
    const next = createAuth(ctx, provider)
    const { socialProviders } = await next.$context
    if (!socialProviders.some(({ id }) => id === oidcId)) throw new Error('its description lacks something we need')
    auth = next
    return next
  }

  return {
    auth: () => auth,
    async withOidc() {
      complete ??= complement()
      try {
        return await complete
      } catch (cause) {
        complete = null
        if (!oidc) throw cause
        ctx.log.warn({ err: cause, issuer: oidc.issuer }, 'the identity provider could not be asked')
        throw problem('unavailable', { cause, message: `${oidc.name} is not answering; try again shortly.` })
      }
    },
  }
}

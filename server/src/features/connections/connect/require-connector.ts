import type { Connector, OAuth2, PasswordAuth } from '@carillon/connectors'
import { isPlatform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'

type AuthKinds = { oauth2: OAuth2; password: PasswordAuth }

/** The connector of a platform that supports this kind of sign-in. Throws if there is none. */
export function requireConnector<Kind extends keyof AuthKinds>(
  ctx: Context,
  platform: string,
  kind: Kind,
): { connector: Connector; auth: AuthKinds[Kind] } {
  if (!isPlatform(platform)) throw problem('platform_not_found')
  const connector = ctx.connectors[platform]
  const { auth } = connector
  if (!isKind(auth, kind)) {
    const message = `${connector.manifest.name} is connected ${auth.kind === 'oauth2' ? 'on its own consent page' : 'with a password'}.`
    throw problem('request_invalid', { details: [{ path: 'platform', message }] })
  }
  return { connector, auth }
}

function isKind<Kind extends keyof AuthKinds>(auth: OAuth2 | PasswordAuth, kind: Kind): auth is AuthKinds[Kind] {
  return auth.kind === kind
}

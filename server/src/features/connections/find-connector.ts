import type { Connector, OAuth2, PasswordAuth } from '@carillon/connectors'
import { isPlatform } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { isConfigured, missingApp } from './connect/connect-method.ts'

type Ways = { oauth2: OAuth2; password: PasswordAuth }

/** The connector of a platform that is connected this way, if this install is set up for it. */
export function findConnector<Kind extends keyof Ways>(
  ctx: Context,
  platform: string,
  kind: Kind,
): { connector: Connector; auth: Ways[Kind] } {
  if (!isPlatform(platform)) throw problem('platform_not_found')
  const connector = ctx.connectors[platform]
  const { auth } = connector
  if (!isOf(auth, kind)) {
    const message = `${connector.manifest.name} is connected by ${auth.kind === 'oauth2' ? 'its own page' : 'a password'}.`
    throw problem('request_invalid', { details: [{ path: 'platform', message }] })
  }
  if (!isConfigured(ctx, connector)) throw problem('platform_not_configured', { message: missingApp(platform) })
  return { connector, auth }
}

function isOf<Kind extends keyof Ways>(auth: OAuth2 | PasswordAuth, kind: Kind): auth is Ways[Kind] {
  return auth.kind === kind
}

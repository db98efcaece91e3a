import type { Call } from '../../http/call.ts'
import { textOf, textsOf, type Fields } from '../../http/fields.ts'
import { json, refuse } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import type { AuthorizeRules } from '../../oauth/authorize.ts'
import { oauthEndpointRoutes } from '../../oauth/oauth-endpoint.routes.ts'
import type { Platform, Route } from '../../platform.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalid } from './errors.ts'

type App = { id: string; secret: string; name: string; redirectUris: string[]; scopes: string[] }

export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  // Deleting the posts leaves the registered apps in place.
  const apps = context.createTable<App>('apps', { isClearedWithPosts: false })
  const codes = new AuthorizationCodes()
  const rules: AuthorizeRules = {
    scopeSeparator: ' ',
    codeLifetimeMs: 600_000,
    needsChallenge: false,
    findProblem(clientId, redirectUri) {
      const app = apps.get(clientId)
      if (!app)
        return (
          'Client authentication failed due to unknown client, no client authentication included, ' +
          'or unsupported authentication method.'
        )
      return app.redirectUris.includes(redirectUri) ? undefined : 'The redirect URI included is not valid.'
    },
  }

  const register = (call: Call) => {
    const fields = call.fields ?? {}
    const name = textOf(fields['client_name'])
    const redirectUris = textsOf(fields['redirect_uris']).flatMap((uris) => uris.split(/\s+/))
    if (name === undefined || redirectUris.length === 0) throw invalid("Name can't be blank, Redirect URI can't be blank")
    const app: App = {
      id: randomToken(),
      secret: randomToken(),
      name,
      redirectUris,
      scopes: (textOf(fields['scopes']) ?? 'read').split(' '),
    }
    apps.set(app.id, app)
    return json(200, {
      id: String(apps.size),
      name,
      website: textOf(fields['website']) ?? null,
      scopes: app.scopes,
      redirect_uris: redirectUris,
      redirect_uri: redirectUris.join('\n'),
      client_id: app.id,
      client_secret: app.secret,
      client_secret_expires_at: 0,
    })
  }

  const authenticateApp = (call: Call, fields: Fields): App => {
    const basic = readBasic(call)
    const app = apps.get(basic?.id ?? textOf(fields['client_id']) ?? '')
    if (!app || app.secret !== (basic?.secret ?? textOf(fields['client_secret']))) {
      throw refuse(401, { error: 'invalid_client', error_description: 'Client authentication failed due to unknown client.' })
    }
    return app
  }

  const token = (call: Call) => {
    const fields = call.fields ?? {}
    const app = authenticateApp(call, fields)
    if (fields['grant_type'] !== 'authorization_code') {
      throw refuse(400, { error: 'unsupported_grant_type', error_description: 'The authorization grant type is not supported.' })
    }
    const proof = {
      clientId: app.id,
      redirectUri: textOf(fields['redirect_uri']),
      verifier: textOf(fields['code_verifier']),
      nowMs: context.now(),
    }
    const grant = codes.redeem(textOf(fields['code']), proof)
    if (!grant) {
      throw refuse(400, {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant is invalid, expired, or revoked.',
      })
    }
    const issuedAtMs = context.now()
    const { value } = context.tokens.issue({
      value: randomToken(),
      kind: 'access',
      account: grant.account,
      issuedAtMs,
      expiresAtMs: issuedAtMs + context.accessLifetimeMs(Infinity),
      scopes: new Set(grant.scopes),
    })
    return json(200, {
      access_token: value,
      token_type: 'Bearer',
      scope: grant.scopes.join(' '),
      created_at: Math.floor(issuedAtMs / 1000),
    })
  }

  const revoke = (call: Call) => {
    const fields = call.fields ?? {}
    authenticateApp(call, fields)
    const found = context.tokens.find(textOf(fields['token']))
    if (found) found.revoked = true
    return json(200, {})
  }

  const metadata = () =>
    json(200, {
      issuer: `${context.origin}/`,
      authorization_endpoint: `${context.origin}/oauth/authorize`,
      token_endpoint: `${context.origin}/oauth/token`,
      revocation_endpoint: `${context.origin}/oauth/revoke`,
      app_registration_endpoint: `${context.origin}/api/v1/apps`,
      scopes_supported: ['read', 'write', 'profile', 'read:accounts', 'read:statuses', 'write:statuses', 'write:media'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
    })

  const paths = { authorize: '/oauth/authorize', token: '/oauth/token', revoke: '/oauth/revoke' }
  return [
    { method: 'POST', path: '/api/v1/apps', operation: 'token', open: true, answer: register },
    ...oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke }),
    { method: 'GET', path: '/.well-known/oauth-authorization-server', operation: 'other', open: true, answer: metadata },
  ]
}

function readBasic(call: Call): { id: string; secret: string } | undefined {
  const header = call.headers.authorization
  if (header === undefined || !header.startsWith('Basic ')) return undefined
  const [id = '', secret = ''] = Buffer.from(header.slice(6), 'base64').toString('utf8').split(':')
  return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
}

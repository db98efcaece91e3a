import type { Context } from '../../context.ts'
import type { Client } from './find-client.ts'
import { OauthError } from './oauth-error.ts'
import { matchesRedirect } from './redirect-uri.ts'
import { type ResourceName, offeredScopes, resourceNames, resourceUrl } from './rights.ts'

/** What a program asks a person for. */
export type Authorization = {
  redirectUri: string
  challenge: string
  resource: ResourceName
  /** Empty if the program named none. */
  scopes: readonly string[]
}

export type Query = Readonly<Record<string, unknown>>

const stateLengthMax = 2000

export function stateOf(query: Query): string | null {
  const { state } = query
  return typeof state === 'string' && state.length <= stateLengthMax ? state : null
}

/** Where the answer may be sent. Null: nowhere, so the refusal is shown to the person and not sent to an address that nobody vouches for. */
export function readRedirect(client: Client, { redirect_uri: uri }: Query): string | null {
  return typeof uri === 'string' && matchesRedirect(client.redirectUris, uri) ? uri : null
}

/** The rest of an authorization request. A refusal is sent to the redirect address. */
export function readAuthorization(ctx: Context, query: Query, redirectUri: string): Authorization {
  for (const [name, value] of Object.entries(query))
    if (typeof value !== 'string') throw new OauthError('invalid_request', `${name.slice(0, 50)} is given twice.`)
  const { response_type, code_challenge: challenge, code_challenge_method: method, resource, scope, state } = query
  if (response_type !== 'code') throw new OauthError('unsupported_response_type', 'response_type must be code.')
  // A challenge without a method would be a plain one.
  if (method !== 'S256') throw new OauthError('invalid_request', 'code_challenge_method must be S256.')
  if (typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge))
    throw new OauthError('invalid_request', 'code_challenge must be a SHA-256 hash in base64url.')
  if (state !== undefined && stateOf(query) === null) throw new OauthError('invalid_request', 'state is too long.')
  const target = readResource(ctx, resource, 'mcp')
  return { redirectUri, challenge, resource: target, scopes: readScopes(scope, target) }
}

/** Clients of 2025 name no resource; `fallback` is what they mean. */
export function readResource({ config: { publicUrl } }: Context, resource: unknown, fallback: ResourceName): ResourceName {
  if (resource === undefined) return fallback
  const found = resourceNames.find((name) => resourceUrl(publicUrl, name) === resource)
  if (!found)
    throw new OauthError(
      'invalid_target',
      `resource must be ${resourceUrl(publicUrl, 'mcp')} or ${resourceUrl(publicUrl, 'api')}.`,
    )
  return found
}

export function readScopes(scope: unknown, resource: ResourceName): readonly string[] {
  const asked = typeof scope === 'string' ? [...new Set(scope.split(' ').filter(Boolean))] : []
  const offered: readonly string[] = offeredScopes(resource)
  const unknown = asked.find((each) => !offered.includes(each))
  if (unknown !== undefined) throw new OauthError('invalid_scope', 'A scope is unknown, or not given to programs.')
  return asked
}

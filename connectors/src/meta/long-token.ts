import type { Credentials, Renewal } from '../kit/auth.ts'
import { Token, toCredentials } from '../kit/oauth2.ts'

/** Trades a token for one of sixty days. The token is its own refresh token: it must be renewed while it lives, and after its first day. */
export async function longToken(
  { http, credentials, nowMs }: Renewal,
  path: string,
  grant: Record<string, string | undefined>,
): Promise<Credentials> {
  const query = { ...grant, access_token: credentials.accessToken }
  return toCredentials(await http.call({ method: 'GET', path, query, anonymous: true, returns: Token }), nowMs)
}

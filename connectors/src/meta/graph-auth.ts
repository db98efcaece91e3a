import type { Credentials, OAuth2, Renewal } from '../kit/auth.ts'
import { Token, toCredentials } from '../kit/oauth2.ts'

const dayMs = 86_400_000

/** The part of signing in that all Graph platforms share. */
export const graphSignIn = {
  kind: 'oauth2',
  revokeUrl: null,
  scopeSeparator: ',',
  pkce: false,
  perInstance: false,
  clientAuth: 'form',
  portalUrl: 'https://developers.facebook.com/apps',
} as const satisfies Partial<OAuth2>

type GraphAuth = typeof graphSignIn & Pick<OAuth2, 'renewEarlyMs' | 'getLongLivedToken' | 'renew'>

/** Signing in where a token of 60 days publishes and is renewed; the grants differ by a prefix only. */
export function graphAuth(prefix: 'ig' | 'th'): GraphAuth {
  return {
    ...graphSignIn,
    renewEarlyMs: 10 * dayMs,

    getLongLivedToken(renewal) {
      const grant = { grant_type: `${prefix}_exchange_token`, client_secret: renewal.app?.clientSecret }
      return requestLongToken(renewal, '/access_token', grant)
    },

    renew(renewal) {
      return requestLongToken(renewal, '/refresh_access_token', { grant_type: `${prefix}_refresh_token` })
    },
  }
}

type Grant = Record<string, string | undefined>

/** Exchanges a token for one that lives 60 days. A token is its own refresh token: it can be renewed after its first day, until it ends. */
async function requestLongToken({ http, credentials, nowMs }: Renewal, path: string, grant: Grant): Promise<Credentials> {
  const query = { ...grant, access_token: credentials.accessToken }
  return toCredentials(await http.call({ method: 'GET', path, query, anonymous: true, returns: Token }), nowMs)
}

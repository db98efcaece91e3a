import type { Connector, Credentials } from '@carillon/connectors'

/** Can these credentials be renewed without the account's owner? Not every app of a platform is given a refresh token. */
export function canRenew({ auth }: Connector, { refreshToken }: Credentials): boolean {
  if (!auth.renew) return false
  if (auth.kind === 'password') return true
  // A token that is renewed ahead of its expiry is its own refresh token.
  return auth.renewEarlyMs !== undefined || refreshToken !== undefined
}

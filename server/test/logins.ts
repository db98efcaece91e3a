import { deriveLogins, type Logins } from '../src/infra/logins/derive-logins.ts'
import { parseSecretKeys } from '../src/infra/sealing/seal.ts'

export const secretKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`

/** The logins that `startDatabase` creates. */
export function loginsOf(databaseUrl: string): Logins {
  return deriveLogins(databaseUrl, parseSecretKeys(secretKeys))
}

/** The addresses of a test database for `openDatabase`. */
export function urlsOf(databaseUrl: string): { appUrl: string; systemUrl: string } {
  const { carillon_app: app, carillon_system: system } = loginsOf(databaseUrl)
  return { appUrl: app.url, systemUrl: system.url }
}

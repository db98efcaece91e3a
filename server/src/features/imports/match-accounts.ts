import { manifests } from '@carillon/connectors/manifests'
import { isPlatform, type Connection } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { describeConnections } from '../connections/present-connection.ts'
import { countAccounts, type ImportKey } from './import.store.ts'

/** Each account that a file names, in how many rows, and the connection it stands for: what a person said counts more than its name. */
export async function resolveAccounts(
  scope: RequestScope,
  key: ImportKey,
  said: Readonly<Record<string, string>>,
): Promise<{ account: string; rows: number; connection: string | null }[]> {
  const connections = await describeConnections(scope)
  const named = await countAccounts(scope.tx, key)
  return named.map(({ account, rows }) => ({ account, connection: said[account] ?? matchAccount(account, connections), rows }))
}

/**
 * The connection that an account of a file stands for: its slug, or the only one on the platform with this handle or name. Other tools name an
 * account as `platform/name`; some of their platforms have an older name, and some a second word, as for pages.
 */
function matchAccount(account: string, connections: readonly Connection[]): string | null {
  const exact = connections.find(({ slug }) => slug === account)
  if (exact) return exact.slug
  const at = account.indexOf('/')
  if (at < 0) return null
  const platform = account.slice(0, at).toLowerCase().split(/[-_]/)[0] ?? ''
  const name = plain(account.slice(at + 1))
  const matches = connections.filter(
    (connection) =>
      isCalled(connection.platform, platform) && (plain(connection.handle) === name || plain(connection.displayName) === name),
  )
  const [only] = matches
  return only && matches.length === 1 ? only.slug : null
}

function isCalled(platform: string, name: string): boolean {
  return platform === name || (isPlatform(platform) && (manifests[platform].alsoCalled ?? []).includes(name))
}

function plain(name: string): string {
  return name.trim().replace(/^@/, '').toLowerCase()
}

import type { Tx } from '../../infra/db/db.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import { findWorkspace } from './workspace.store.ts'

/** Where connect links of the workspace may send people afterwards. */
export async function findReturnOrigins(tx: Tx, workspaceId: string): Promise<readonly string[]> {
  return (await findWorkspace(tx, workspaceId))?.return_origins ?? []
}

/** The origins as they are stored and compared. Each must be an origin and nothing more, so that nobody believes that a path is compared. */
export function readReturnOrigins(given: readonly string[]): string[] {
  const details = given.flatMap((text, index): Detail[] =>
    originOf(text) === null
      ? [{ path: `returnOrigins[${index}]`, message: 'Must be an https origin such as https://app.example.com.' }]
      : [],
  )
  if (details.length > 0) throw problem('return_url_refused', { details })
  return [...new Set(given.flatMap((text) => originOf(text) ?? []))]
}

function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text)
  const isBare = pathname === '/' && search + hash + username + password === ''
  return protocol === 'https:' && isBare ? origin : null
}

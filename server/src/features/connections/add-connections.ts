import { connectionSlug } from '@carillon/core'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { connectionRow, type NewConnection } from './connection-row.ts'
import { insertConnections, findSlugs } from './connection.store.ts'

export type { NewConnection } from './connection-row.ts'

/** Connects accounts to a workspace. Each connection gets a unique slug. */
export function addConnections(ctx: Context, workspaceId: string, accounts: readonly NewConnection[]) {
  return ctx.db.tenant(workspaceId, async (tx) => {
    const nowMs = ctx.nowMs()
    const taken = await findSlugs(tx, workspaceId)
    const rows = accounts.map((account) => {
      const slug = connectionSlug(account.platform, account.handle, (candidate) => taken.has(candidate))
      taken.add(slug)
      return connectionRow(ctx, { workspaceId, id: newId(nowMs), slug, nowMs, account })
    })
    await insertConnections(tx, rows)
    return rows.map(({ slug, id, platform }) => ({ slug, id, platform }))
  })
}

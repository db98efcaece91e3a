import { connectionSlug } from '@carillon/core'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { connectionRow, type NewConnection } from './connection-row.ts'
import { insertConnections, takenSlugs } from './connection.store.ts'

export type { NewConnection } from './connection-row.ts'

/** Links accounts to a workspace, each under a slug of its own. */
export function addConnections(ctx: Context, workspaceId: string, wanted: readonly NewConnection[]) {
  return ctx.db.tenant(workspaceId, async (tx) => {
    const nowMs = ctx.nowMs()
    const taken = await takenSlugs(tx, workspaceId)
    const rows = wanted.map((account) => {
      const slug = connectionSlug(account.platform, account.handle, (word) => taken.has(word))
      taken.add(slug)
      return connectionRow(ctx, { workspaceId, id: newId(nowMs), slug, nowMs, account })
    })
    await insertConnections(tx, rows)
    return rows.map(({ slug, id, platform }) => ({ slug, id, platform }))
  })
}

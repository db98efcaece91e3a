import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { deleteUpTo, findMark, findOldChains, listLinks, lockChains, saveMarks } from './audit-chain.store.ts'
import type { Mark } from './chain-hash.ts'
import { isAuthentic, signMark } from './sign-mark.ts'
import { beforeFirst, findFault, timeOf, type End } from './verify-audit.ts'

const dayMs = 86_400_000
const chainsMax = 20
const linksMax = 2000

/**
 * Deletes the entries of audit logs that are older than CARILLON_AUDIT_DAYS; without it, none. A log always keeps its newest entry. Returns
 * whether there may be more.
 */
export async function trimAudit(ctx: Context): Promise<boolean> {
  const { auditDays } = ctx.config
  if (auditDays === null) return false
  const before = new Date(ctx.nowMs() - auditDays * dayMs)
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await lockChains(tx))) return false
    let trimmed = 0
    for (const head of await findOldChains(tx, before, chainsMax)) if (await trimChain(ctx, tx, { head, before })) trimmed++
    return trimmed > 0
  })
}

type OldChain = { head: Mark; before: Date }

async function trimChain(ctx: Context, tx: Tx, { head, before }: OldChain): Promise<boolean> {
  const { chain } = head
  const start = await findMark(tx, 'start', chain)
  const isUnchanged = !start || isAuthentic(ctx, 'start', start)
  const end = isUnchanged ? await findEnd(tx, { head, before, start: start ?? beforeFirst }) : null
  if (end === null) {
    ctx.log.error({ chain }, 'an audit log was changed, so its old entries are not deleted; run "carillon audit verify"')
    return false
  }
  await saveMarks(tx, 'start', [signMark(ctx, 'start', { ...end, chain })])
  await deleteUpTo(tx, { ...end, chain })
  return true
}

/** The last link to delete. Null if a link that is old enough shows a fault: deleting it would delete the evidence. */
async function findEnd(tx: Tx, { head, before, start }: OldChain & { start: End }): Promise<End | null> {
  let end = start
  let newestMs = 0
  for (const link of await listLinks(tx, head.chain, { after: start.position, max: linksMax })) {
    if (link.linkedAt >= before || link.position >= head.position) break
    if (link.position !== end.position + 1 || findFault(link, end, newestMs)) return null
    newestMs = Math.max(newestMs, timeOf(link.entryId))
    end = link
  }
  return end === start ? null : end
}

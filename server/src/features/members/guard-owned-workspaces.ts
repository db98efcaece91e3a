import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { countOwnedWorkspaces } from './member.store.ts'

type Owner = {
  /** The transaction that makes the person an owner. */
  tx: Tx
  /** Sees the members of all workspaces; a transaction of one workspace does not. */
  system: Db | Tx
  personId: string
  isCaller: boolean
}

/** Refuses a person who owns as many workspaces as allowed. Counted wherever somebody becomes an owner, or workspaces would be passed on. */
export async function guardOwnedWorkspaces({ config }: Context, { tx, system, personId, isCaller }: Owner): Promise<void> {
  const max = config.quotas.workspaces
  if (max === Infinity) return
  await lockQuota(tx, `workspaces ${personId}`)
  if ((await countOwnedWorkspaces(system, personId)) < max) return
  throw problem('quota_reached', {
    message: isCaller
      ? `You own ${max} workspaces, the most that this installation allows. Delete one, or ask its operator for more.`
      : 'This person owns as many workspaces as this installation allows. Choose another role, or ask its operator for more.',
  })
}

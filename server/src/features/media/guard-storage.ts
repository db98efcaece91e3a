import { formatBytes } from '@carillon/core'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { problem, type Problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { sumStorage } from './media.store.ts'

type Addition = { workspaceId: string; addedBytes: number }

/** Refuses files that would exceed the storage quota of the workspace, in the transaction that adds them. */
export async function guardStorage({ config }: Context, tx: Tx, { workspaceId, addedBytes }: Addition): Promise<void> {
  const max = config.quotas.storageBytes
  if (max === Infinity) return
  await lockQuota(tx, `storage ${workspaceId}`)
  if ((await sumStorage(tx, workspaceId)) + addedBytes > max) throw storageFull(max)
}

/** Refuses a file before it is received if nothing more fits. */
export async function requireFreeStorage({ config, db }: Context, workspaceId: string): Promise<void> {
  const max = config.quotas.storageBytes
  if (max === Infinity) return
  if ((await db.readOnly(workspaceId, (tx) => sumStorage(tx, workspaceId))) >= max) throw storageFull(max)
}

function storageFull(max: number): Problem {
  return problem('storage_full', {
    message: `The files of this workspace may have ${formatBytes(max)} together. Delete files that you no longer need.`,
  })
}

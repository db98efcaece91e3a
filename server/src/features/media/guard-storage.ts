import { formatBytes } from '@carillon/core'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { problem, type Problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { sumInstallationStorage, sumStorage } from './media.store.ts'

type Addition = { workspaceId: string; addedBytes: number }

/**
 * Refuses files that would exceed the storage quota of the workspace or that of the installation, in the transaction that adds them. Until it
 * ends, no other one adds files to the same quota.
 */
export async function guardStorage({ config }: Context, tx: Tx, { workspaceId, addedBytes }: Addition): Promise<void> {
  const { storageBytes, storageBytesTotal } = config.quotas
  if (storageBytes !== Infinity) {
    await lockQuota(tx, `storage ${workspaceId}`)
    if ((await sumStorage(tx, workspaceId)) + addedBytes > storageBytes) throw storageFull(storageBytes)
  }
  if (storageBytesTotal === Infinity) return
  await lockQuota(tx, 'storage of the installation')
  if ((await sumInstallationStorage(tx)) + addedBytes > storageBytesTotal) throw problem('installation_storage_full')
}

/** Refuses a file before it is received if nothing more fits. */
export async function requireFreeStorage({ config, db }: Context, workspaceId: string): Promise<void> {
  const { storageBytes, storageBytesTotal } = config.quotas
  if (storageBytes === Infinity && storageBytesTotal === Infinity) return
  await db.readOnly(workspaceId, async (tx) => {
    if (storageBytes !== Infinity && (await sumStorage(tx, workspaceId)) >= storageBytes) throw storageFull(storageBytes)
    if (storageBytesTotal !== Infinity && (await sumInstallationStorage(tx)) >= storageBytesTotal)
      throw problem('installation_storage_full')
  })
}

function storageFull(max: number): Problem {
  return problem('storage_full', {
    message: `The files of this workspace may have ${formatBytes(max)} together. Delete files that you no longer need.`,
  })
}

import type { Db } from '../db/db.ts'
import { type SecretKeys, reseal } from './seal.ts'
import { sealedColumns, type SealedColumn } from './sealed-columns.ts'
import { lockSealedByOthers, updateSealed } from './secret-canary.store.ts'

/** `unreadable`: no configured key opens the value, so it was left as it is. */
export type Resealed = { changed: number; unreadable: number }

const batchSize = 200

/**
 * Seals everything that an older key sealed with the first key. Each batch is a transaction of its own: the work may be interrupted at any
 * point and started again, while the service runs.
 */
export async function resealStored(system: Db, keys: SecretKeys): Promise<Record<string, Resealed>> {
  const counts: Record<string, Resealed> = {}
  for (const column of sealedColumns) counts[`${column.table}.${column.column}`] = await resealColumn(system, column, keys)
  return counts
}

async function resealColumn(system: Db, column: SealedColumn, keys: SecretKeys): Promise<Resealed> {
  const total: Resealed = { changed: 0, unreadable: 0 }
  let after: readonly string[] | null = null
  for (;;) {
    const last: readonly string[] | null = await system.transaction().execute(async (tx) => {
      const values = await lockSealedByOthers(tx, column, { keyId: keys.sealing, after, limit: batchSize })
      for (const { key, workspaceId, rowId, sealed } of values) {
        const changed = tryReseal(keys, { workspaceId, rowId, column: column.name }, sealed)
        if (changed) await updateSealed(tx, column, { rowKey: key, sealed: changed })
        total[changed ? 'changed' : 'unreadable']++
      }
      return values.at(-1)?.key ?? null
    })
    if (last === null) return total
    after = last
  }
}

function tryReseal(...args: Parameters<typeof reseal>): Buffer | null {
  try {
    return reseal(...args)
  } catch {
    return null
  }
}

import type { BulkResult } from '@carillon/contract'
import type { Static } from 'typebox'
import { Problem } from '../problem/problem.ts'

/** Applies an action to many items. A refused item is listed in `failed` and does not stop the others. */
export async function runBulk(
  ids: readonly string[],
  each: (id: string) => Promise<unknown>,
): Promise<Static<typeof BulkResult>> {
  const failed: Static<typeof BulkResult>['failed'] = []
  const distinct = [...new Set(ids)]
  for (const id of distinct) {
    try {
      await each(id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failed.push({ id, code: error.code, message: error.message })
    }
  }
  return { requested: ids.length, succeeded: distinct.length - failed.length, failed }
}

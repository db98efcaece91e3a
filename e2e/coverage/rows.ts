import { expect, test } from 'vitest'
import { decisionRows } from './decision-rows.data.ts'
import { interfaceRows } from './interface-rows.data.ts'

/** Every statement that the service must fulfil. */
export const allRows = { ...interfaceRows, ...decisionRows }
export type RowId = keyof typeof allRows

type Checks<T> = { [Id in RowId]?: (subject: T) => unknown }

/** Declares the test of one row, named after it. */
export function row(id: RowId, run: () => Promise<void>, timeoutMs?: number): void {
  test(
    nameOf(id),
    async () => {
      expect.hasAssertions()
      await run()
    },
    timeoutMs,
  )
}

/** Declares a test for each row. All of them use the same subject, which is created once. */
export function rows<T>(make: () => Promise<T>, checks: Checks<T>): void {
  let made: Promise<T> | undefined
  for (const id of Object.keys(checks) as RowId[]) {
    test(nameOf(id), async () => {
      expect.hasAssertions()
      made ??= make()
      await checks[id]?.(await made)
    })
  }
}

function nameOf(id: RowId): string {
  return `${id}: ${allRows[id]}`
}

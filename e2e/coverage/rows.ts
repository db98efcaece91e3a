import { expect, test } from 'vitest'
import { decisionRows } from './decision-rows.data.ts'
import { interfaceRows } from './interface-rows.data.ts'

/** Every statement the service is held to. */
export const allRows = { ...interfaceRows, ...decisionRows }
export type RowId = keyof typeof allRows

type Checks<T> = { [Id in RowId]?: (subject: T) => unknown }

/** The test of one row, named after it. */
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

/** A test for each row, all about the same thing, which is made once. */
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

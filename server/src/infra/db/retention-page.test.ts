import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { listSettings } from '../../config/list-settings.ts'
import { settings } from '../../config/settings.ts'

/** Guarantee: an operator finds for every table how long its rows are kept. A new table must be added to the page. */

let database: TestDatabase
let tables: string[]
let page: string

beforeAll(async () => {
  database = await startDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  tables = rows.map(({ name }) => name).toSorted()
  await client.end()
  page = await readFile(join(root, 'docs/guides/retention.md'), 'utf8')
}, 60_000)
afterAll(() => database.stop())

/** The names in the first column of the tables of the page. */
function namesIn(text: string): string[] {
  const firstCells = text.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1] ?? ''] : []))
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)).toSorted()
}

test('the page has every table once, and no other', () => {
  expect(tables).toContain('metric_history')
  expect(namesIn(page)).toEqual(tables)
})

test('every setting on the page exists', () => {
  const named = [...page.matchAll(/CARILLON_[A-Z_]+/g)].map(([name]) => name)
  const known = listSettings(settings).map(({ setting }) => setting.name)
  expect(named).toContain('CARILLON_AUDIT_DAYS')
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type Postgres } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programVersion } from '../assets/program-version.ts'
import { programFiles } from '../program/program-files.ts'
import { findIncompatibleChanges, type IncompatibleChange } from './incompatible-changes.fixture.ts'
import { isOlderRelease } from './check-schema.ts'
import { findOldestRelease, listMigrations, migrate } from './migrate.ts'
import { readCatalog } from './read-catalog.fixture.ts'

/**
 * Guarantee: the release before works with the schema of this one, so both can run side by side and an operator can go back. A change first
 * adds (expand) and removes in a later release (contract).
 */

/** The files before this one were only ever run by development versions that were stopped for it. */
const firstChecked = '019'
/** For a rule that a person has thought about: `-- compatible: <why the release before never breaks this rule>`. */
const compatibleLine = /^-- compatible: \S/m

let dir: string
let postgres: Postgres
let client: pg.Client
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-contract-'))
  postgres = await startPostgres({ dir, fsync: false })
  client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
}, 60_000)
afterAll(async () => {
  await client.end()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

async function changesOf(work: () => Promise<unknown>): Promise<IncompatibleChange[]> {
  const before = await readCatalog(client)
  await work()
  return findIncompatibleChanges(before, await readCatalog(client))
}

/** What a file must say about its incompatible changes, or null if it may run. */
function complaintOf(changes: readonly IncompatibleChange[], text: string): string | null {
  const removals = changes.filter(({ kind }) => kind === 'removal').map(({ what }) => what)
  const rules = changes.filter(({ kind }) => kind === 'rule').map(({ what }) => what)
  const oldest = findOldestRelease(text)
  if (removals.length > 0 && oldest === null)
    return `${removals.join('; ')}. The release before uses it. Stop using it in this release, and remove it in a later one with the line "-- contract: unused since <this release>".`
  if (oldest !== null && isOlderRelease(programVersion(), oldest))
    return `says that something is unused since ${oldest}, which is not released yet.`
  if (rules.length > 0 && !compatibleLine.test(text))
    return `${rules.join('; ')}. If the release before never breaks this rule, say why in a line "-- compatible: …".`
  return null
}

test('every migration leaves a schema that the release before works with', { timeout: 120_000 }, async () => {
  const complaints: string[] = []
  for (const name of await listMigrations()) {
    const changes = await changesOf(() => migrate(postgres.url, undefined, [name]))
    const complaint = complaintOf(changes, await readFile(new URL(name, programFiles.migrations), 'utf8'))
    if (complaint !== null && name >= firstChecked) complaints.push(`${name} ${complaint}`)
  }
  expect(complaints).toEqual([])
})

describe('what is refused', () => {
  beforeAll(async () => {
    await client.query(`
      create table bell (id int primary key, name text, weight int not null default 1);
      create function ring() returns void language sql begin atomic select; end;
      grant select, insert on bell to carillon_system`)
  })

  test.for([
    ['alter table bell drop column name', 'drops the column bell.name'],
    ['alter table bell rename column name to title', 'renames the column bell.name to title'],
    ['alter table bell rename to gong', 'renames the table bell to gong'],
    ['alter table bell rename to gong; create view bell as select id, name from gong', 'renames the table bell to gong'],
    ['alter table bell rename to gong; create view bell as select distinct * from gong', 'renames the table bell to gong'],
    ['drop table bell', 'drops the table bell'],
    ['alter table bell alter column name type varchar(3)', 'changes the type of bell.name from text to character varying(3)'],
    ['alter table bell alter column name set not null', 'makes bell.name not null'],
    ['alter table bell alter column weight drop default', 'removes the default of bell.weight, which is not null'],
    ['alter table bell add column tower int not null', 'adds bell.tower, which is not null and has no default'],
    ['do $$ begin execute $q$alter table bell drop column name$q$; end $$', 'drops the column bell.name'],
    ['revoke insert on bell from carillon_system', 'removes "carillon_system may insert bell"'],
    ['drop function ring()', 'removes "function ring()"'],
    ['alter table bell add constraint light check (weight < 10)', 'adds or changes the rule light: CHECK ((weight < 10))'],
    ['create unique index bell_name on bell (name)', 'adds or changes the rule bell_name'],
  ] as const)('%s', async ([statement, what]) => {
    await client.query('begin')
    try {
      const changes = await changesOf(() => client.query(statement))
      expect(changes.map((change) => change.what).join()).toContain(what)
      expect(complaintOf(changes, '')).toContain(what)
    } finally {
      await client.query('rollback')
    }
  })

  test.for([
    'alter table bell add column tower int',
    'alter table bell add column tower int not null default 3',
    "alter table bell add column tone text check (tone in ('c', 'd'))",
    'alter table bell add column number bigint generated always as identity',
    'create table tower (id int not null, height int not null check (height > 0))',
    'create index bell_by_name on bell (name)',
    `alter table bell rename to gong; create view bell as select * from gong where weight = 1;
      grant select, insert on bell to carillon_system`,
  ])('allowed: %s', async (statement) => {
    await client.query('begin')
    try {
      expect(await changesOf(() => client.query(statement))).toEqual([])
    } finally {
      await client.query('rollback')
    }
  })

  test('a removal is allowed when a release that exists has stopped using it', () => {
    const drop: IncompatibleChange[] = [{ kind: 'removal', what: 'drops the column bell.name' }]
    expect(complaintOf(drop, `-- contract: unused since ${programVersion()}\n`)).toBe(null)
    expect(complaintOf(drop, '-- contract: unused since 99.0.0\n')).toContain('which is not released yet')
  })
})

import { expect, test } from 'vitest'
import { foreignWrites, infraReads, sharedStores, tableOwners } from './table-owners.data.ts'
import { checkTableOwners, type TableRules } from './table-owners.ts'

const rules: TableRules = {
  owners: { post: 'features/posts', media: 'features/media', cell: 'infra/cell' },
  foreignWrites: [],
  infraReads: [],
  sharedStores: {},
}

const problems = (path: string, text: string, more: Partial<TableRules> = {}) =>
  checkTableOwners([{ path, text }], { ...rules, ...more }).map(({ problem }) => problem)

/** Guarantee: one module writes a table, and a breach that somebody plants is refused. */
test.each([
  ['features/media/a.store.ts', `await tx.updateTable('post').set({ a: 1 }).execute()`, 'writes post; only features/posts may'],
  ['features/media/a.store.ts', `await tx.insertInto('post').values(row).execute()`, 'writes post; only features/posts may'],
  ['features/media/a.store.ts', `await tx.deleteFrom('post').execute()`, 'writes post; only features/posts may'],
  ['features/media/a.store.ts', 'sql`\n  update post as p\n  set a = 1`', 'writes post; only features/posts may'],
  ['features/media/a.store.ts', 'sql`insert into post (id)\n values (1)`', 'writes post; only features/posts may'],
  ['features/media/a.store.ts', 'sql`with gone as (delete from post where a)`', 'writes post; only features/posts may'],
  ['infra/db/sweep.ts', 'deleteBatch(db, sql`media`)', 'writes media; only features/media may'],
  [
    'features/posts/a.store.ts',
    `await tx.insertInto('novelty').execute()`,
    'writes novelty, which has no owner in table-owners.data.ts',
  ],
  ['infra/cell/cell.store.ts', 'sql`select 1 from post`', 'names post, a table of features/posts: infra knows no feature'],
  [
    'features/media/a.ts',
    `import { findPost } from '../posts/post.store.ts'`,
    'imports server/src/features/posts/post.store.ts: a feature calls the use cases of another, not its stores',
  ],
])('%s refuses %s', (path, text, problem) => {
  expect(problems(`server/src/${path}`, text)).toEqual([problem])
})

test.each([
  ['features/posts/a.store.ts', `await tx.updateTable('post').set({ a: 1 }).execute()`],
  ['features/media/a.store.ts', `await tx.selectFrom('post').select('id').forUpdate().execute()`],
  ['features/media/a.store.ts', 'sql`select id from media for update of post`'],
  ['features/media/a.store.test.ts', `await tx.deleteFrom('post').execute()`],
  ['infra/cell/cell.store.ts', 'sql`update cell set a = (select 1 from cell)`'],
  ['features/posts/b.ts', `import { findPost } from './post.store.ts'`],
  ['commands/a.ts', `import { findPost } from '../features/posts/post.store.ts'`],
])('%s allows %s', (path, text) => {
  expect(problems(`server/src/${path}`, text)).toEqual([])
})

test('a listed breach is allowed, and refused as an entry when it is gone', () => {
  const path = 'server/src/features/media/a.store.ts'
  const listed = { foreignWrites: [{ table: 'post', path, reason: 'one transaction' }] }
  expect(problems(path, `tx.deleteFrom('post')`, listed)).toEqual([])
  expect(problems(path, '', listed)).toEqual(['is listed in table-owners.data.ts for post, which it does not name any more'])
  const shared = { sharedStores: { 'server/src/features/posts/post.store.ts': 'read in sending' } }
  expect(problems('server/src/features/media/a.ts', `import { a } from '../posts/post.store.ts'`, shared)).toEqual([])
  expect(problems(path, '', shared)).toEqual(['is listed in table-owners.data.ts, but no other feature imports it'])
})

test('the lists only shrink, and each entry says why it is there', () => {
  expect(foreignWrites.length).toBeLessThanOrEqual(38)
  expect(infraReads.length).toBeLessThanOrEqual(9)
  expect(Object.keys(sharedStores).length).toBeLessThanOrEqual(20)
  for (const reason of [...foreignWrites, ...infraReads].map((entry) => entry.reason).concat(Object.values(sharedStores)))
    expect(reason).toMatch(/^[A-Z].*\.$/)
  expect(Object.values(tableOwners).every((owner) => /^(?:features|infra|cells)\/[a-z-]+$/.test(owner))).toBe(true)
})

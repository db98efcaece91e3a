import { importedPaths, isCode, isTestSupport, type SourceFile, type Violation } from './imports.ts'
import { foreignWrites, infraReads, sharedStores, tableOwners, type Exception } from './table-owners.data.ts'

const word = String.raw`"?([a-z]\w*)"?`
const writePattern = new RegExp(
  [
    String.raw`\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)`,
    String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?${word}`,
    String.raw`\bupdate\s+(?:only\s+)?${word}(?:\s+(?:as\s+)?\w+)?\s+set\b`,
  ].join('|'),
  'gi',
)
const readPattern = new RegExp(
  String.raw`\b(?:selectFrom|innerJoin|leftJoin|from)\(\s*'(\w+)|\b(?:from|join)\s+(?:only\s+)?${word}`,
  'gi',
)

/** A table alone in a piece of SQL, which becomes part of a statement that writes. */
const fragmentPattern = /\bsql`(\w+)`/g

export type TableRules = {
  /** The module that alone writes a table: a folder of features, infra or cells. */
  owners: Readonly<Record<string, string>>
  /** Writes by another module that are left. */
  foreignWrites: readonly Exception[]
  /** Files of infra that name a table of a feature. */
  infraReads: readonly Exception[]
  /** Stores that other features import, with the reason. */
  sharedStores: Readonly<Record<string, string>>
}

const ourRules: TableRules = { owners: tableOwners, foreignWrites, infraReads, sharedStores }

/**
 * Each table is written by one module, infra knows no table of a feature, and a feature imports another's stores only where that is listed.
 * What breaks this is listed with a reason. An entry that nothing needs any more is a violation too, so the lists only shrink. What is
 * written by a list of tables is not seen: sealed columns that are encrypted anew, and workspaces that are moved or erased.
 */
export function checkTableOwners(files: readonly SourceFile[], rules: TableRules = ourRules): Violation[] {
  const code = files.filter(({ path }) => path.startsWith('server/src/') && isCode(path) && !isTestSupport(path))
  // The other files have no SQL, which server.ts checks.
  const stores = code.filter(({ path }) => path.endsWith('.store.ts') || path.startsWith('server/src/infra/db/'))
  const writes = stores.flatMap((file) => [
    ...usesIn(file, writePattern),
    ...usesIn(file, fragmentPattern).filter(({ table }) => rules.owners[table] !== undefined),
  ])
  const unowned = writes.filter(({ table }) => rules.owners[table] === undefined)
  const foreign = writes.filter(({ path, table }) => (rules.owners[table] ?? moduleOf(path)) !== moduleOf(path))
  const reads = stores
    .filter(({ path }) => path.startsWith('server/src/infra/'))
    .flatMap((file) => usesIn(file, readPattern))
    .filter(({ table }) => rules.owners[table]?.startsWith('features/'))
  const shared = code.flatMap(foreignStores)
  return [
    ...unowned.map(({ path, table }) => ({ path, problem: `writes ${table}, which has no owner in table-owners.data.ts` })),
    ...compare(foreign, rules.foreignWrites, ({ table }) => `writes ${table}; only ${rules.owners[table]} may`),
    ...compare(
      reads,
      rules.infraReads,
      ({ table }) => `names ${table}, a table of ${rules.owners[table]}: infra knows no feature`,
    ),
    ...shared
      .filter(({ store }) => rules.sharedStores[store] === undefined)
      .map(({ path, store }) => ({
        path,
        problem: `imports ${store}: a feature calls the use cases of another, not its stores`,
      })),
    ...Object.keys(rules.sharedStores)
      .filter((store) => !shared.some((found) => found.store === store))
      .map((store) => ({ path: store, problem: 'is listed in table-owners.data.ts, but no other feature imports it' })),
  ]
}

type Use = { path: string; table: string }

/** What is found but not listed, and what is listed but no longer found. */
function compare(found: readonly Use[], listed: readonly Exception[], problem: (use: Use) => string): Violation[] {
  const isSame = (a: Use, b: Use) => a.path === b.path && a.table === b.table
  return [
    ...found
      .filter((use) => !listed.some((entry) => isSame(use, entry)))
      .map((use) => ({ path: use.path, problem: problem(use) })),
    ...listed
      .filter((entry) => !found.some((use) => isSame(use, entry)))
      .map(({ path, table }) => ({
        path,
        problem: `is listed in table-owners.data.ts for ${table}, which it does not name any more`,
      })),
  ]
}

function usesIn({ path, text }: SourceFile, pattern: RegExp): Use[] {
  const names = [...text.matchAll(pattern)].map((found) => found.slice(1).find((name) => name !== undefined) ?? '')
  return [...new Set(names)].map((table) => ({ path, table }))
}

function foreignStores(file: SourceFile): { path: string; store: string }[] {
  const from = featureOf(file.path)
  if (from === undefined) return []
  return importedPaths(file)
    .filter((target) => target.endsWith('.store.ts') && featureOf(target) !== undefined && featureOf(target) !== from)
    .map((store) => ({ path: file.path, store }))
}

function featureOf(path: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

function moduleOf(path: string): string {
  return /^server\/src\/((?:features|infra|cells)\/[^/]+)\//.exec(path)?.[1] ?? ''
}

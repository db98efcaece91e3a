import { importsOf, isCode, isTestSupport, resolveFrom, type SourceFile } from './imports.ts'

/** For each node the nodes it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Which file imports which, type-only imports included. */
export function fileGraph(files: readonly SourceFile[]): Graph {
  const entries = packageEntries(files)
  const code = files.filter(({ path }) => isCode(path))
  const known = new Set(code.map(({ path }) => path))
  const targetOf = (path: string, specifier: string) =>
    specifier.startsWith('.') ? resolveFrom(path, specifier) : entries.get(specifier)
  return new Map(
    code.map(({ path, text }): [string, Set<string>] => {
      const targets = importsOf(text).map(({ specifier }) => targetOf(path, specifier))
      return [path, new Set(targets.filter((target) => target !== undefined).filter((target) => known.has(target)))]
    }),
  )
}

/** Which folder of server/src imports which: a feature, a part of infra, commands. A file in server/src itself is a node of its own. */
export function serverFolderGraph(files: Graph): Graph {
  const folders = new Map<string, Set<string>>()
  for (const [path, targets] of files) {
    const from = serverFolder(path)
    if (from === undefined || isTestSupport(path)) continue
    const found = folders.get(from) ?? new Set()
    folders.set(from, found)
    for (const target of targets) {
      const to = serverFolder(target)
      if (to !== undefined && to !== from) found.add(to)
    }
  }
  return folders
}

function serverFolder(path: string): string | undefined {
  return /^server\/src\/((?:features|infra)\/[^/]+(?=\/)|[^/]+)/.exec(path)?.[1]
}

/** What `@carillon/name/part` stands for, by the `exports` of each package. */
function packageEntries(files: readonly SourceFile[]): Map<string, string> {
  const entries = new Map<string, string>()
  for (const { path, text } of files) {
    if (!path.endsWith('package.json')) continue
    const { name, exports = {} }: { name?: string; exports?: Record<string, unknown> } = JSON.parse(text)
    for (const [part, target] of Object.entries(exports))
      if (typeof target === 'string') entries.set(`${name}${part.slice(1)}`, resolveFrom(path, target))
  }
  return entries
}

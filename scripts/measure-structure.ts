import { parseArgs } from 'node:util'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { root } from '../stack/services/folders.ts'
import { runCommand } from '../stack/services/run-command.ts'
import { fileGraph } from './check/import-graph.ts'
import { importsOf, isCode, isGenerated, isTestSupport, type SourceFile } from './check/imports.ts'
import { readSourceFiles } from './check/source-files.ts'

/** What a newcomer meets in a folder: how many files, how long they are, and how often one leads to the next. */
export type Structure = {
  files: number
  lines: number
  medianLines: number
  importsPerThousandLines: number
  /** Files that exactly one other source file imports. Tests do not count. */
  singleUser: readonly SingleUser[]
}
export type SingleUser = { path: string; lines: number; user: string }

const folders = ['server/src/', 'web/src/']

/** Counts the source files of a folder: no tests, no fixtures, nothing generated. Tables in `.data.ts` files are source. */
export function measureStructure(all: readonly SourceFile[], folder: string): Structure {
  const isSource = (path: string) => path.startsWith(folder) && isCode(path) && !isTestSupport(path) && !isGenerated(path)
  const files = all.filter(({ path }) => isSource(path)).map((file) => ({ ...file, lines: linesOf(file) }))
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const imports = files.reduce((sum, { text }) => sum + importsOf(text).length, 0)
  const users = usersOf(all, isSource)
  return {
    files: files.length,
    lines,
    medianLines: files.map((file) => file.lines).toSorted((a, b) => a - b)[Math.floor(files.length / 2)] ?? 0,
    importsPerThousandLines: lines === 0 ? 0 : Math.round((imports / lines) * 1000),
    singleUser: files
      .flatMap((file) => {
        const [user, ...others] = users.get(file.path) ?? []
        return user !== undefined && others.length === 0 ? [{ path: file.path, lines: file.lines, user }] : []
      })
      .toSorted((a, b) => a.lines - b.lines),
  }
}

function usersOf(files: readonly SourceFile[], isSource: (path: string) => boolean): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const [path, targets] of fileGraph(files))
    if (isSource(path)) for (const target of targets) users.set(target, [...(users.get(target) ?? []), path])
  return users
}

function linesOf({ text }: SourceFile): number {
  return text.split('\n').length - 1
}

/** The files of a commit, so that what a change has done can be counted afterwards with the same rules. */
async function readCommit(commit: string): Promise<SourceFile[]> {
  const listed = await runCommand('git', ['ls-tree', '-r', '-z', '--name-only', commit], { cwd: root })
  const paths = listed.split('\0').filter((path) => isCode(path) || path.endsWith('package.json'))
  const requests = paths.map((path) => `${commit}:${path}\n`).join('')
  const printed = Buffer.from(await runCommand('git', ['cat-file', '--batch'], { cwd: root, input: requests }))
  let at = 0
  return paths.map((path) => {
    const headEnd = printed.indexOf('\n', at)
    const begin = headEnd + 1
    const end = begin + Number(printed.toString('utf8', at, headEnd).split(' ')[2])
    at = end + 1
    return { path, text: printed.toString('utf8', begin, end) }
  })
}

function printTable(structures: ReadonlyMap<string, Structure>): void {
  console.log('| | files | lines | median lines | imports per 1,000 lines | files with exactly one importer |')
  console.log('|---|---|---|---|---|---|')
  for (const [folder, { files, lines, medianLines, importsPerThousandLines, singleUser }] of structures)
    console.log(`| \`${folder}\` | ${[files, lines, medianLines, importsPerThousandLines, singleUser.length].join(' | ')} |`)
}

async function main(): Promise<void> {
  exitWithHelp(`node scripts/measure-structure.ts [--commit HASH] [--single]   prints the table of docs/architecture.md
  --commit   counts another commit
  --single   lists the files with exactly one importer, shortest first`)
  const { values } = parseArgs({ options: { commit: { type: 'string' }, single: { type: 'boolean' } } })
  const files = values.commit === undefined ? await readSourceFiles() : await readCommit(values.commit)
  const structures = new Map(folders.map((folder) => [folder, measureStructure(files, folder)]))
  printTable(structures)
  if (values.single)
    for (const { singleUser } of structures.values())
      for (const { path, lines, user } of singleUser) console.log(`${lines}\t${path}\t${user}`)
}

if (import.meta.main) await main()

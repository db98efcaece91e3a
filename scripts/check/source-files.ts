import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import type { SourceFile } from './imports.ts'

const sizeMax = 1_000_000

/** What is committed or about to be: everything git does not ignore, as text. */
export async function readSourceFiles(): Promise<SourceFile[]> {
  const listed = await runCommand('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const files = await Promise.all(listed.split('\0').filter(Boolean).map(readSource))
  const readable = files.filter((file) => file !== undefined)
  if (readable.length === 0) throw new Error('git lists no files: the checks would pass without checking anything')
  return readable
}

async function readSource(path: string): Promise<SourceFile | undefined> {
  // A file that is listed but deleted in the work tree is no longer there to be judged.
  const bytes = await readFile(join(root, path)).catch(() => undefined)
  if (!bytes || bytes.length > sizeMax || bytes.includes(0)) return undefined
  return { path, text: bytes.toString() }
}

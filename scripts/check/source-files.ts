import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import type { SourceFile } from './imports.ts'

const sizeBytesMax = 1_000_000

/** Every text file in the repository that git does not ignore, committed or not. */
export async function readSourceFiles(): Promise<SourceFile[]> {
  const listed = await runCommand('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const files = await Promise.all(listed.split('\0').filter(Boolean).map(readSource))
  const readable = files.filter((file) => file !== undefined)
  if (readable.length === 0) throw new Error('git lists no files: the checks would pass without checking anything')
  return readable
}

async function readSource(path: string): Promise<SourceFile | undefined> {
  // A file that is deleted but not yet committed as deleted is listed, and cannot be read.
  const bytes = await readFile(join(root, path)).catch(() => undefined)
  if (!bytes || bytes.length > sizeBytesMax || bytes.includes(0)) return undefined
  return { path, text: bytes.toString() }
}

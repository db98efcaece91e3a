import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** Reads a file that has secrets, or null if there is none. One that others can read is refused: its secrets may be known to them. */
export async function readPrivateJson(path: string): Promise<unknown> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (found === null) return null
  // Windows has no such modes.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw unusable(
      path,
      `Other users of this machine can read ${path}. Make new API keys if they might have, and run: chmod 600 ${path}`,
    )
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (cause) {
    throw unusable(path, `${path} cannot be read. Remove it, and sign in again: carillon login`, cause)
  }
}

/** Writes a file that only its owner can read. A crash leaves the old one or the new one, never a part. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

function unusable(path: string, message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'file_unusable', exitCode: exitCodes.usage, cause: cause ?? path })
}

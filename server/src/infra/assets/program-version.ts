import { readFileSync } from 'node:fs'
import { findUpwards } from './find-upwards.ts'

/** The version of the server's package, or of the package that the bundle is in. */
export function programVersion(): string {
  const path = findUpwards(['package.json'])
  if (path === null) return 'unknown'
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: string }
  return version ?? 'unknown'
}

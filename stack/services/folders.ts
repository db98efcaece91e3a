import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../..')

/** Where test servers are installed and keep what they write; ignored by git. */
export function servicesDir(): string {
  return resolve(root, process.env['CARILLON_SERVICES_DIR'] ?? '.services')
}

/** Outlives a clone, so that a second clone on the same machine compiles nothing again. */
export function cacheDir(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'carillon')
}

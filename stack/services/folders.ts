import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../..')

/** Where test servers are installed and write their data; git ignores it. */
export function servicesDir(): string {
  return resolve(root, process.env['CARILLON_SERVICES_DIR'] ?? '.services')
}

/** Outside of the repository, so that a second clone on the same machine compiles nothing again. */
export function cacheDir(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'carillon')
}

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../terminal.ts'

/** Where the API keys and the positions of `listen` are kept. A relative XDG_CONFIG_HOME is ignored, as its specification says. */
export function configFolder(env: Environment): string {
  const folder = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  return join(folder && isAbsolute(folder) ? folder : join(homedir(), '.config'), 'carillon')
}

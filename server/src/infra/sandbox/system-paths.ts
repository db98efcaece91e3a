import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folders of the system that programs and their libraries need. Single folders of /usr, because an application may be below it. */
const systemFolders = [
  '/usr/bin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libexec',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/share/fonts',
  '/usr/share/fontconfig',
  '/usr/share/poppler',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/var/cache/fontconfig',
]
const topFolders = ['/bin', '/lib', '/lib32', '/lib64']

export const programPath = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/** The devices that programs expect. None of them leads outside. */
export const devices: readonly string[] = ['/dev/null', '/dev/zero', '/dev/urandom']

/** What every sandboxed program may read. `links` are symbolic links at the top, such as /lib to usr/lib. */
export function systemPaths(): { paths: string[]; links: { at: string; to: string }[] } {
  const paths = systemFolders.filter((path) => existsSync(path))
  const links: { at: string; to: string }[] = []
  for (const at of topFolders) {
    if (!existsSync(at)) continue
    if (lstatSync(at).isSymbolicLink()) links.push({ at, to: readlinkSync(at) })
    else paths.push(at)
  }
  return { paths, links }
}

/** The file of a program, or null if it is not installed. */
export function findProgram(name: string): string | null {
  if (name.includes('/')) return existsSync(name) ? name : null
  for (const folder of programPath.split(delimiter)) {
    const path = join(folder, name)
    if (existsSync(path)) return path
  }
  return null
}

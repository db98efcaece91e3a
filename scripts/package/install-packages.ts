import { cp, mkdir, readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Packages with compiled code, which differs from machine to machine. They are not bundled: npm installs the variant that fits. */
export const installedPackages = ['sharp', '@node-rs/argon2'] as const

type Manifest = {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export type InstalledPackage = { name: string; version: string; dir: string }

/** Files of packages that only people and compilers read. The text of the licence stays. */
const unneeded = /\.(?:map|md|d\.[cm]?ts|[cm]?ts|txt)$|\/(?:docs|test|tests)$/
const licence = /\/(?:licen[cs]e|notice|copying)[^/]*$/i

/** Copies the packages that are not bundled, and what they need on this machine, into a node_modules folder. */
export async function installPackages(from: string, target: string): Promise<InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>()
  for (const name of installedPackages) await collect(name, from, found)
  const packages = [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  for (const { name, dir } of packages) {
    await mkdir(join(target, dirname(name)), { recursive: true })
    const isNeeded = (path: string) => path === dir || licence.test(path) || !unneeded.test(path)
    await cp(dir, join(target, name), { recursive: true, filter: (path) => isNeeded(path) && !path.endsWith('/node_modules') })
  }
  return packages
}

/** Adds a package and its dependencies. An optional dependency is for one kind of machine, and absent on the others. */
async function collect(name: string, from: string, found: Map<string, InstalledPackage>, isOptional = false): Promise<void> {
  const dir = await findPackage(name, from)
  if (dir === null && isOptional) return
  if (dir === null) throw new Error(`${name} is not installed for ${from}; run \`pnpm install\``)
  const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as Manifest
  const known = found.get(name)
  if (known?.version === manifest.version) return
  if (known)
    throw new Error(`${name} is needed in two versions, ${known.version} and ${manifest.version}; one folder cannot hold both`)
  found.set(name, { name, version: manifest.version, dir })
  for (const dependency of Object.keys(manifest.dependencies ?? {})) await collect(dependency, dir, found)
  for (const dependency of Object.keys(manifest.optionalDependencies ?? {})) await collect(dependency, dir, found, true)
}

/** The folder of a package as a file in `from` would find it, or null. Its exports may hide package.json, so this looks at the folders. */
async function findPackage(name: string, from: string): Promise<string | null> {
  for (const folder of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    const dir = await realpath(join(folder, name)).catch(() => null)
    if (dir !== null) return dir
  }
  return null
}

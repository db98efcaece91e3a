import { dirname, join, normalize } from 'node:path'

export type SourceFile = { path: string; text: string }
export type Import = { specifier: string; isTypeOnly: boolean }

/** A complaint names the file, so that an editor can open it. */
export type Complaint = { path: string; problem: string }

/** Who may import whom. `name/part` allows one entry of that package alone. */
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  core: ['contract'],
  connectors: ['contract'],
  server: ['contract', 'core', 'connectors'],
  sdk: [],
  web: ['sdk', 'core', 'connectors/manifests'],
  cli: ['sdk'],
  simulator: ['contract'],
  stack: ['contract', 'connectors/manifests'],
  e2e: ['contract', 'sdk', 'simulator', 'stack', 'scripts'],
  bench: ['sdk', 'simulator', 'stack'],
  scripts: ['contract', 'core', 'connectors', 'stack', 'server/settings'],
}

/** A test may also have a world around it; it still stands outside of the server unless it is the server's own. */
const testsMayImport = ['simulator', 'stack']

// Scripts run before anything is built and are no dependency of anybody: they may reach into a folder by path.
const reachesByPath = 'scripts'

/** Every import that crosses from one package of ours to another against the table. */
export function packageComplaints(file: SourceFile): Complaint[] {
  const owner = packageOf(file.path)
  const allowed = mayImport[owner]
  if (!allowed) return []
  const isTest = isTestFile(file.path)
  return importsOf(file.text).flatMap(({ specifier, isTypeOnly }) => {
    const target = targetOf(file.path, specifier)
    if (!target || target.name === owner) return []
    const complain = (problem: string) => [{ path: file.path, problem }]
    if (target.isByPath && owner !== reachesByPath)
      return complain(`reaches into ${target.name}/ by path: import @carillon/${target.name}`)
    const isAllowed = allowed.some((entry) => entry === target.name || entry === `${target.name}/${target.part}`)
    if (!isAllowed && !(isTest && testsMayImport.includes(target.name))) return complain(`${owner} may not import ${specifier}`)
    // The examiner does not copy from the pupil: it may know the words of the contract, and run none of its code.
    if (owner === 'simulator' && !isTypeOnly) return complain(`the simulator may import only types: ${specifier}`)
    return []
  })
}

type Target = { name: string; part: string; isByPath: boolean }

function targetOf(path: string, specifier: string): Target | undefined {
  const named = /^@carillon\/([^/]+)\/?(.*)$/.exec(specifier)
  if (named) return { name: named[1] ?? '', part: named[2] ?? '', isByPath: false }
  if (!specifier.startsWith('.')) return undefined
  return { name: packageOf(resolveFrom(path, specifier)), part: '', isByPath: true }
}

export function packageOf(path: string): string {
  return path.split('/')[0] ?? ''
}

export function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

export function resolveFrom(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier))
}

const importPattern =
  /(?:^|[;\n}])\s*(import|export)\s+(type\s)?(?:[^'"`;=()]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** By pattern, not by parser: our own formatted code is regular enough, and the rules must be quick to check. */
export function importsOf(text: string): Import[] {
  return [...text.matchAll(importPattern)].map((found) => ({
    specifier: found[3] ?? found[4] ?? '',
    isTypeOnly: found[2] !== undefined,
  }))
}

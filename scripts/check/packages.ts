import { importsOf, isTestSupport, packageOf, resolveFrom, type SourceFile, type Violation } from './imports.ts'

/** Which package may import which. `name/part` allows only that entry of the package. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ['contract'],
  connectors: ['contract'],
  server: ['contract', 'core', 'connectors', 'cli', 'mcp'],
  sdk: [],
  web: ['sdk', 'core', 'connectors/manifests', 'connectors/marks', 'connectors/names', 'connectors/guides', 'connectors/guide'],
  mcp: ['sdk'],
  cli: ['sdk'],
  'docs-site': [],
  simulator: ['contract'],
  stack: ['contract', 'connectors/manifests'],
  e2e: ['contract', 'sdk', 'simulator', 'stack', 'scripts', 'docs-site'],
  bench: ['sdk', 'simulator', 'stack'],
  mutants: [],
  scripts: ['contract', 'core', 'connectors', 'stack', 'server/settings'],
}

/** The simulator checks what connectors send. If it ran the same code as they do, it would repeat their mistakes. */
export const importsOnlyTypes = 'simulator'

/** Every test may also start simulated platforms and real servers. */
const testsMayImport = ['simulator', 'stack']

/** Tests of rules for all packages, such as the time that scanners of texts take, call functions of all of them. */
const scriptTestsMayImport = ['server', 'sdk']

// Scripts run before anything is built and no package depends on them, so they may import another package's files by path.
const mayImportByPath = 'scripts'

/** Every import from one of our packages to another that the table does not allow. */
export function checkPackages(file: SourceFile): Violation[] {
  const owner = packageOf(file.path)
  const allowed = mayImport[owner]
  if (!allowed) return []
  const isTest = isTestSupport(file.path)
  return importsOf(file.text).flatMap(({ specifier, isTypeOnly }) => {
    const target = targetOf(file.path, specifier)
    if (!target || target.name === owner) return []
    const violation = (problem: string) => [{ path: file.path, problem }]
    if (target.isByPath && owner !== mayImportByPath)
      return violation(`imports from ${target.name}/ by path: import @carillon/${target.name}`)
    const isAllowed = allowed.some((entry) => entry === target.name || entry === `${target.name}/${target.part}`)
    const forTests = owner === 'scripts' ? [...testsMayImport, ...scriptTestsMayImport] : testsMayImport
    if (!isAllowed && !(isTest && forTests.includes(target.name))) return violation(`${owner} may not import ${specifier}`)
    if (owner === importsOnlyTypes && !isTypeOnly) return violation(`the simulator may import only types: ${specifier}`)
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

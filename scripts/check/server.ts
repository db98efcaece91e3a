import { importsOf, isTestFile, packageOf, resolveFrom, type SourceFile, type Violation } from './imports.ts'

const settings = 'server/src/config.ts'
const packagesWithoutEnvironment = ['contract', 'core', 'connectors', 'server', 'sdk', 'simulator', 'web']
const environmentPattern = /\bprocess\.env\b/
const databasePattern = /^(?:kysely|pg)(?:\/|$)/

/** Only config.ts reads the environment, so that it lists every setting there is. */
export function checkEnvironment({ path, text }: SourceFile): Violation[] {
  if (!packagesWithoutEnvironment.includes(packageOf(path)) || path === settings || isTestFile(path)) return []
  return environmentPattern.test(text) ? [{ path, problem: `reads process.env; only ${settings} may` }] : []
}

/** Which server files may use the database client, and what a workflow may import. */
export function checkServer({ path, text }: SourceFile): Violation[] {
  if (!path.startsWith('server/src/') || isTestFile(path)) return []
  return importsOf(text).flatMap(({ specifier }) => {
    const target = specifier.startsWith('.') ? resolveFrom(path, specifier) : specifier
    return [databaseProblem(path, target), workflowProblem(path, target)]
      .filter((problem) => problem !== undefined)
      .map((problem) => ({ path, problem }))
  })
}

// SQL is written with kysely or sent through pg, so a file without either has none.
function databaseProblem(path: string, target: string): string | undefined {
  if (!databasePattern.test(target) || path.startsWith('server/src/infra/db/') || path.endsWith('.store.ts')) return undefined
  return `imports ${target}; only infra/db/ and *.store.ts may`
}

function workflowProblem(path: string, target: string): string | undefined {
  if (!path.endsWith('.workflow.ts')) return undefined
  const isForbidden = target.startsWith('node:') || /^server\/src\/infra\/(?:db|http)\//.test(target)
  return isForbidden ? `a workflow is replayed: it may not import ${target}` : undefined
}

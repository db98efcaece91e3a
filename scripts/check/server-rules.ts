import { importsOf, isTestFile, packageOf, resolveFrom, type Complaint, type SourceFile } from './imports.ts'

const settings = 'server/src/config.ts'
const withoutEnvironment = ['contract', 'core', 'connectors', 'server', 'sdk', 'simulator', 'web']
const environmentPattern = /\bprocess\.env\b/
const databasePattern = /^(?:kysely|pg)(?:\/|$)/

/** Only one file reads the environment, so that one file tells every setting there is. */
export function environmentComplaints({ path, text }: SourceFile): Complaint[] {
  if (!withoutEnvironment.includes(packageOf(path)) || path === settings || isTestFile(path)) return []
  return environmentPattern.test(text) ? [{ path, problem: `reads process.env; only ${settings} may` }] : []
}

/** The rules inside the server: who touches the database, what a workflow may know, whose store is whose. */
export function serverComplaints({ path, text }: SourceFile): Complaint[] {
  if (!path.startsWith('server/src/') || isTestFile(path)) return []
  return importsOf(text).flatMap(({ specifier }) => {
    const target = specifier.startsWith('.') ? resolveFrom(path, specifier) : specifier
    return [databaseProblem(path, target), workflowProblem(path, target), storeProblem(path, target)]
      .filter((problem) => problem !== undefined)
      .map((problem) => ({ path, problem }))
  })
}

function databaseProblem(path: string, target: string): string | undefined {
  if (!databasePattern.test(target) || path.startsWith('server/src/db/') || path.endsWith('.store.ts')) return undefined
  return `imports ${target}; only db/ and *.store.ts may`
}

function workflowProblem(path: string, target: string): string | undefined {
  if (!path.endsWith('.workflow.ts')) return undefined
  const isForbidden = target.startsWith('node:') || /^server\/src\/(?:db|http)\//.test(target)
  return isForbidden ? `a workflow is replayed: it may not import ${target}` : undefined
}

function storeProblem(path: string, target: string): string | undefined {
  if (!target.startsWith('server/src/') || !target.endsWith('.store.ts')) return undefined
  const [own, other] = [subjectOf(path), subjectOf(target)]
  // A file beside the folders belongs to no subject: it puts the program together.
  if (own === undefined || own === other) return undefined
  return `uses the store of ${other}; call one of its use cases`
}

function subjectOf(path: string): string | undefined {
  const [, , folder, ...rest] = path.split('/')
  return rest.length > 0 ? folder : undefined
}

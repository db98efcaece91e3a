import { importsOf, resolveFrom, type Complaint, type SourceFile } from './imports.ts'

const manifestPattern = /^connectors\/src\/(?:manifests|[^/]+\/manifest)\.ts$/
const dataPattern = /(?:\/manifest|\/manifests|\.data)\.ts$/

/** Manifests are read in the browser: they are data, and pull no connector's code along. */
export function manifestComplaints({ path, text }: SourceFile): Complaint[] {
  if (!manifestPattern.test(path)) return []
  return importsOf(text)
    .filter(({ specifier, isTypeOnly }) => !isTypeOnly && !isData(path, specifier))
    .map(({ specifier }) => ({ path, problem: `a manifest is data: it may not import ${specifier}` }))
}

function isData(path: string, specifier: string): boolean {
  return specifier === '@carillon/contract' || (specifier.startsWith('.') && dataPattern.test(resolveFrom(path, specifier)))
}

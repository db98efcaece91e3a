import { importsOf, resolveFrom, type SourceFile, type Violation } from './imports.ts'

const manifestPattern = /^connectors\/src\/(?:manifests\.gen|guides\.gen|[^/]+\/manifest|[^/]+\/guide)\.ts$/
const dataPattern = /(?:\/manifest|\/manifests\.gen|\/guide|\.data)\.ts$/

/** A browser may load the manifests and the guides, so they are data only and import no connector code. */
export function checkManifests({ path, text }: SourceFile): Violation[] {
  if (!manifestPattern.test(path)) return []
  return importsOf(text)
    .filter(({ specifier, isTypeOnly }) => !isTypeOnly && !isData(path, specifier))
    .map(({ specifier }) => ({ path, problem: `this is data for a browser: it may not import ${specifier}` }))
}

function isData(path: string, specifier: string): boolean {
  return specifier === '@carillon/contract' || (specifier.startsWith('.') && dataPattern.test(resolveFrom(path, specifier)))
}

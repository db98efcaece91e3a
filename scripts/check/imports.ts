/*
 * Our own import checker instead of dependency-cruiser: version 18.7.2 reads TypeScript through the compiler's JavaScript API, which
 * TypeScript 7 does not have. Tried on stack/ with TypeScript 7.0.2, it read only the six .mjs files, skipped every .ts file and reported
 * no violation. Its other parser, swc, would be a second TypeScript compiler in the repository.
 */
import { dirname, join, normalize } from 'node:path'

export type SourceFile = { path: string; text: string }
export type Import = { specifier: string; isTypeOnly: boolean }

/** A broken rule, with the file's path so that an editor can open it. */
export type Violation = { path: string; problem: string }

export function packageOf(path: string): string {
  return path.split('/')[0] ?? ''
}

export function isCode(path: string): boolean {
  return /\.(?:tsx?|mjs)$/.test(path)
}

export function isGenerated(path: string): boolean {
  return /\.gen\.tsx?$/.test(path)
}

export function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Tests and the files that only tests import. */
export function isTestSupport(path: string): boolean {
  return isTestFile(path) || /\.fixture\.tsx?$/.test(path) || /^[^/]+\/test\//.test(path)
}

export function resolveFrom(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier))
}

const importPattern =
  /(?:^|[;\n}])\s*(import|export)\s+(type\s)?(?:[^'"`;=()]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** Uses a pattern and not a parser: formatted code is regular enough for it, and all files are read in well under a second. */
export function importsOf(text: string): Import[] {
  return [...text.matchAll(importPattern)].map((found) => ({
    specifier: found[3] ?? found[4] ?? '',
    isTypeOnly: found[2] !== undefined,
  }))
}

/** The paths that a file's relative imports lead to. */
export function importedPaths({ path, text }: SourceFile): string[] {
  return importsOf(text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolveFrom(path, specifier))
}

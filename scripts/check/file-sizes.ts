import { dirname } from 'node:path'
import { isCode, isGenerated, isTestSupport, type SourceFile, type Violation } from './imports.ts'

const filesMax = 30

export type FileSizes = { files: number; medianLines: number; largest: { path: string; lines: number } }

/** How long our source files are, without tests and without what is generated or data. */
export function measureFileSizes(files: readonly SourceFile[]): FileSizes {
  const sizes = files
    .filter(({ path }) => isSource(path) && !isGenerated(path) && !path.endsWith('.data.ts'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .toSorted((a, b) => a.lines - b.lines)
  return {
    files: sizes.length,
    medianLines: sizes[Math.floor(sizes.length / 2)]?.lines ?? 0,
    largest: sizes.at(-1) ?? { path: '', lines: 0 },
  }
}

/** A folder with more source files than a reader can take in at once must be split. */
export function checkFolderSizes(files: readonly SourceFile[]): Violation[] {
  const folders = Map.groupBy(
    files.filter(({ path }) => isSource(path)),
    ({ path }) => dirname(path),
  )
  return [...folders]
    .filter(([, inFolder]) => inFolder.length > filesMax)
    .map(([path, inFolder]) => ({ path, problem: `has ${inFolder.length} source files; at most ${filesMax} are allowed` }))
}

function isSource(path: string): boolean {
  return isCode(path) && !isTestSupport(path)
}

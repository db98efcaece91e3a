import { findCycles } from './find-cycles.ts'
import { fileGraph, serverFolderGraph } from './import-graph.ts'
import type { SourceFile, Violation } from './imports.ts'

/** No cycle of files in the repository, and none of folders in the server: type-only imports count, because they must be read together too. */
export function checkCycles(files: readonly SourceFile[]): Violation[] {
  const graph = fileGraph(files)
  return [
    ...findCycles(graph).map((cycle) => violation('files', cycle, '')),
    ...findCycles(serverFolderGraph(graph)).map((cycle) => violation('folders', cycle, 'server/src/')),
  ]
}

function violation(kind: string, cycle: readonly string[], prefix: string): Violation {
  return { path: `${prefix}${cycle[0] ?? ''}`, problem: `cycle of ${kind}: ${cycle.join(' → ')}` }
}

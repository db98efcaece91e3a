import type { Graph } from './import-graph.ts'

/** One cycle for each group of nodes that reach one another: the shortest through its first node, as a path that ends where it starts. */
export function findCycles(graph: Graph): string[][] {
  const reported = new Set<string>()
  const cycles: string[][] = []
  for (const start of [...graph.keys()].toSorted()) {
    if (reported.has(start)) continue
    const cycle = shortestCycle(graph, start)
    if (!cycle) continue
    cycles.push(cycle)
    for (const node of reachable(graph, start)) if (reachable(graph, node).has(start)) reported.add(node)
  }
  return cycles
}

/** Searches breadth first, so the first way back to the start is a shortest one. */
function shortestCycle(graph: Graph, start: string): string[] | undefined {
  const importerOf = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...pathTo(importerOf, start, node), start]
      if (importerOf.has(next)) continue
      importerOf.set(next, node)
      queue.push(next)
    }
  }
  return undefined
}

function pathTo(importerOf: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const path = [end]
  for (let node = end; node !== start;) {
    node = importerOf.get(node) ?? start
    path.unshift(node)
  }
  return path
}

function reachable(graph: Graph, start: string): Set<string> {
  const found = new Set<string>()
  const queue = [start]
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      queue.push(next)
    }
  }
  return found
}

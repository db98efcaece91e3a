import type { Params } from './call.ts'

type Addressed = { method: string; path: string }
export type Match<R> = { route: R; params: Params }

const noParams: Params = {}

/** Fixed paths are one map lookup; only paths with `:names` are tried one by one. */
export function createRouter<R extends Addressed>(routes: readonly R[]): (method: string, path: string) => Match<R> | undefined {
  const fixed = new Map<string, Match<R>>()
  const open: { route: R; pattern: RegExp; names: string[] }[] = []
  for (const route of routes) {
    if (route.path.includes(':')) open.push({ route, ...compile(route.path) })
    else fixed.set(`${route.method} ${route.path}`, { route, params: noParams })
  }
  return (method, path) => fixed.get(`${method} ${path}`) ?? matchOpen(open, method, path)
}

function compile(path: string): { pattern: RegExp; names: string[] } {
  const names: string[] = []
  const source = path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, (_, name: string) => {
    names.push(name)
    return '([^/]+)'
  })
  return { pattern: new RegExp(`^${source}$`), names }
}

function matchOpen<R extends Addressed>(
  open: readonly { route: R; pattern: RegExp; names: string[] }[],
  method: string,
  path: string,
): Match<R> | undefined {
  for (const { route, pattern, names } of open) {
    if (route.method !== method) continue
    const found = pattern.exec(path)
    if (!found) continue
    const params: Params = {}
    for (const [at, name] of names.entries()) params[name] = decode(found[at + 1] ?? '')
    return { route, params }
  }
  return undefined
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

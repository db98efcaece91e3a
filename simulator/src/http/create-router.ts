import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Params } from './call.ts'

export type Method = HTTPMethod
export type Match<R> = { route: R; params: Params }

const paramLengthMax = 1000

/** Finds the route for a method and a path; `:name` in a route's path is a parameter. */
export function createRouter<R extends { method: Method; path: string }>(
  routes: readonly R[],
): (method: string, path: string) => Match<R> | undefined {
  const router = findMyWay({ maxParamLength: paramLengthMax })
  for (const route of routes) router.on(route.method, route.path, () => undefined, route)
  return (method, path) => {
    const found = router.find(method as Method, path)
    // A path with an invalid escape is found without a route.
    return found?.store ? { route: found.store as R, params: found.params } : undefined
  }
}

import { invalidParams } from './errors.ts'

/** The fields named in the query, which TikTok requires. Unknown names are ignored. */
export function pickFields(query: URLSearchParams, all: Record<string, unknown>): Record<string, unknown> {
  const names = (query.get('fields') ?? '').split(',').filter((name) => name !== '')
  if (names.length === 0) throw invalidParams('The fields parameter is required')
  return Object.fromEntries(names.filter((name) => name in all).map((name) => [name, all[name]]))
}

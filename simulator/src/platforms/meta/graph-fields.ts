import type { Call } from '../../http/call.ts'

/** The fields that the call requests, without what it requests of them: `likes.limit(0)` and `attachments{url,title}` are one field each. */
export function fieldsOf(call: Call, defaults: string[]): string[] {
  const requested = call.query.get('fields')
  if (requested === null) return defaults
  const names = requested.replaceAll(/\{[^}]*\}|\([^)]*\)/g, '').split(',')
  return names.map((name) => name.trim().split('.')[0] ?? '')
}

export function pick(all: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}

export function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000')
}

/** One page of a list. A cursor is the number of the entries before it; `next` is absent on the last page. */
export function pageOf<T>(call: Call, all: readonly T[], { origin }: { origin: string }): { data: T[]; paging: object } {
  const limit = Math.min(100, Math.max(1, Number(call.query.get('limit') ?? 25)))
  const start = Number(call.query.get('after') ?? 0)
  const data = all.slice(start, start + limit)
  const after = String(start + data.length)
  const hasMore = start + data.length < all.length
  return {
    data,
    paging: { cursors: { before: String(start), after }, ...(hasMore && { next: `${origin}${call.path}?after=${after}` }) },
  }
}

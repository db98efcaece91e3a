import type { Call } from '../../http/call.ts'

/** The fields that the call requests. */
export function fieldsOf(call: Call, defaults: string[]): string[] {
  const requested = call.query.get('fields')
  return requested === null ? defaults : requested.split(',').map((name) => name.trim())
}

export function pick(all: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}

export function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000')
}

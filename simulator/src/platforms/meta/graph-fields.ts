import type { Call } from '../../http/call.ts'

/** What the call asked to see. */
export function fieldsOf(call: Call, usual: string[]): string[] {
  const asked = call.query.get('fields')
  return asked === null ? usual : asked.split(',').map((name) => name.trim())
}

export function pick(all: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}

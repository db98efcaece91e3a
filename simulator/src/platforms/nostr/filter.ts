import { isFields, numberOf, textsOf, type Fields } from '../../http/fields.ts'
import type { Event } from './event.ts'

const limitMax = 500

/** What a subscription asks for. A filter of which nothing is understood matches everything. */
export type Filter = { fields: Fields; limit: number }

export function readFilters(values: readonly unknown[]): Filter[] {
  return values.filter(isFields).map((fields) => ({ fields, limit: Math.min(numberOf(fields['limit']) ?? limitMax, limitMax) }))
}

export function matches({ fields }: Filter, { id, pubkey, kind, created_at: at, tags }: Event): boolean {
  for (const [name, wanted] of Object.entries(fields)) {
    if (name === 'ids' && !textsOf(wanted).includes(id)) return false
    if (name === 'authors' && !textsOf(wanted).includes(pubkey)) return false
    if (name === 'kinds' && !textsOf(wanted).includes(String(kind))) return false
    if (name === 'since' && at < (numberOf(wanted) ?? 0)) return false
    if (name === 'until' && at > (numberOf(wanted) ?? Infinity)) return false
    if (/^#[a-zA-Z]$/.test(name) && !tags.some(([tag, value]) => tag === name[1] && textsOf(wanted).includes(value ?? '')))
      return false
  }
  return true
}

import { isFields, type Fields } from '../http/fields.ts'
import { optionLabels } from './option-labels.data.ts'

export type Option = {
  /** The name in the platform's API, with dots between the levels. */
  name: string
  label: string
  value: string
}

/** Every field of a request as a readable line, except the hidden ones. A field inside another has both names. */
export function listOptions(request: Fields, hidden: readonly string[]): Option[] {
  const options: Option[] = []
  const add = (fields: Fields, prefix: string) => {
    for (const [key, value] of Object.entries(fields)) {
      const name = prefix + key
      if (hidden.includes(name) || value === undefined || value === null) continue
      if (isFields(value)) add(value, `${name}.`)
      else options.push({ name, label: optionLabels[key] ?? toWords(key), value: toText(value) })
    }
  }
  add(request, '')
  return options
}

function toText(value: unknown): string {
  if (value === true || value === 'true') return 'yes'
  if (value === false || value === 'false') return 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(toText).join(', ')
  if (typeof value === 'string') return value === '' ? '(empty)' : value
  return JSON.stringify(value)
}

/** `reply_control` and `replyControl` become "Reply control". */
function toWords(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

import type { ContentFormat } from '@carillon/sdk'

type SettingText = { name: string; title: string; description: string | null }

/** A setting of a platform, as a form can show it. */
export type Setting = SettingText &
  (
    | { kind: 'choice'; choices: readonly { value: string; label: string }[]; fallback: string | null }
    | { kind: 'toggle'; fallback: boolean }
    | { kind: 'number'; min: number | null; max: number | null }
    | { kind: 'text'; lengthMax: number | null }
    /** Words or names. Between two there is a comma, or a space as well where no word has one. */
    | { kind: 'list'; itemsMax: number | null; hasSpaces: boolean }
    /** People with a user name and, by API only, a point in the picture. */
    | { kind: 'people'; itemsMax: number | null }
  )

type Schema = Readonly<Record<string, unknown>>

type Shown = { format: ContentFormat; language: string }

/** Reads the JSON Schema of a platform's settings. A setting of a kind that is not known here is left out. */
export function readSettings(schema: Schema, { format, language }: Shown): Setting[] {
  const properties = objectIn(schema, 'properties')
  const words = objectIn(objectIn(schema, 'x-words'), language)
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return []
    const onlyFor = property['x-only-for']
    if (Array.isArray(onlyFor) && !onlyFor.includes(format)) return []
    const setting = readSetting(name, property)
    return setting ? [translate(setting, objectIn(words, name))] : []
  })
}

/** The schema is in English; what has no words in this language stays so. */
function translate(setting: Setting, words: Schema): Setting {
  const text = {
    title: textOf(words['title']) ?? setting.title,
    description: textOf(words['description']) ?? setting.description,
  }
  if (setting.kind !== 'choice') return { ...setting, ...text }
  const labels = objectIn(words, 'choices')
  return {
    ...setting,
    ...text,
    choices: setting.choices.map(({ value, label }) => ({ value, label: textOf(labels[value]) ?? label })),
  }
}

function readSetting(name: string, property: Schema): Setting | null {
  const text = { name, title: textOf(property['title']) ?? name, description: textOf(property['description']) }
  const choices = readChoices(property)
  if (choices.length > 0) return { ...text, kind: 'choice', choices, fallback: textOf(property['default']) }
  switch (property['type']) {
    case 'boolean':
      return { ...text, kind: 'toggle', fallback: property['default'] === true }
    case 'number':
    case 'integer':
      return { ...text, kind: 'number', min: numberOf(property['minimum']), max: numberOf(property['maximum']) }
    case 'string':
      return { ...text, kind: 'text', lengthMax: numberOf(property['maxLength']) }
    case 'array': {
      const items = objectIn(property, 'items')
      const fields = objectIn(items, 'properties')
      const itemsMax = numberOf(property['maxItems'])
      if (isObject(fields['username'])) return { ...text, kind: 'people', itemsMax }
      if (Object.keys(fields).length > 0) return null
      return { ...text, kind: 'list', itemsMax, hasSpaces: items['x-has-spaces'] === true }
    }
    default:
      return null
  }
}

/** The words or names in one field. */
export function splitList(text: string, hasSpaces: boolean): string[] {
  if (hasSpaces) return text.split(',').flatMap((words) => words.trim() || [])
  return text.split(/[\s,]+/).flatMap((name) => name.replace(/^@/, '') || [])
}

function readChoices({ oneOf, enum: values }: Schema): { value: string; label: string }[] {
  if (Array.isArray(oneOf)) {
    return oneOf.flatMap((choice: unknown) => {
      const value = isObject(choice) ? textOf(choice['const']) : null
      return value === null || !isObject(choice) ? [] : [{ value, label: textOf(choice['title']) ?? value }]
    })
  }
  return Array.isArray(values) ? values.flatMap((value) => (typeof value === 'string' ? [{ value, label: value }] : [])) : []
}

function objectIn(schema: Schema, name: string): Schema {
  const value = schema[name]
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

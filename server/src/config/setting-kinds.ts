import type { OptionalSettings, Setting, SettingFacts, SettingTree } from './setting.ts'

export function text(facts: SettingFacts): Setting<string> {
  return { ...facts, parse: (value) => value }
}

/** Null when the variable is absent or empty. */
export function optionalText(facts: SettingFacts): Setting<string | null> {
  return { ...facts, default: '', parse: (value) => value || null }
}

/** An address that pages link to; null when the variable is absent or empty. */
export function webAddress(facts: SettingFacts): Setting<string | null> {
  return {
    ...facts,
    default: '',
    parse(value, name) {
      if (value === '' || isWebAddress(value)) return value || null
      throw new Error(`${name} must be a web address with https: or http:, not "${value}".`)
    },
  }
}

/** A mail address or the address of a page; null when the variable is absent or empty. */
export function contactAddress(facts: SettingFacts): Setting<string | null> {
  return {
    ...facts,
    default: '',
    parse(value, name) {
      if (value === '' || isWebAddress(value) || /^[^\s@:/]+@[^\s@:/]+$/.test(value)) return value || null
      throw new Error(`${name} must be a mail address or a web address, not "${value}".`)
    },
  }
}

function isWebAddress(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}

export function wholeNumber({ min = 0, max, ...facts }: SettingFacts & { min?: number; max?: number }): Setting<number> {
  const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`
  return {
    ...facts,
    parse(value, name) {
      const number = Number(value)
      if (Number.isInteger(number) && number >= min && number <= (max ?? Infinity)) return number
      throw new Error(`${name} must be a whole number ${range}, not "${value}".`)
    },
  }
}

export function choice<const Value extends string>({
  values,
  ...facts
}: SettingFacts & { values: readonly Value[] }): Setting<Value> {
  const allowed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)
  return {
    ...facts,
    parse(given, name) {
      const value = values.find((each) => each === given)
      if (value === undefined) throw new Error(`${name} must be ${allowed}, not "${given}".`)
      return value
    },
  }
}

export function flag(facts: SettingFacts & { default: 'true' | 'false' }): Setting<boolean> {
  return converted(choice({ ...facts, values: ['true', 'false'] }), (value) => value === 'true')
}

/** Values separated by commas; spaces and empty entries are ignored. */
export function list(facts: SettingFacts): Setting<readonly string[]> {
  return {
    ...facts,
    default: '',
    parse: (value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
  }
}

/** A JSON object whose values are text. */
export function jsonMap(facts: SettingFacts): Setting<Readonly<Record<string, string>>> {
  return {
    ...facts,
    default: '',
    parse(value, name) {
      const map = value ? parseJson(value) : {}
      if (typeof map !== 'object' || map === null) throw new Error(`${name} must be a JSON object, not "${value}".`)
      return Object.fromEntries(Object.entries(map).map(([key, each]) => [key, String(each)]))
    },
  }
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** The same setting with another value made from what it parsed. */
export function converted<From, To>({ parse, ...facts }: Setting<From>, convert: (value: From) => To): Setting<To> {
  return { ...facts, parse: (value, name) => convert(parse(value, name)) }
}

/** These settings are read only if `when`, one of them, is set and not empty. */
export function onlyWith<Fields extends SettingTree>(when: keyof Fields & string, fields: Fields): OptionalSettings<Fields> {
  return { when, fields }
}

/** What was written on the command line: a text, `true` for an option without a value, or nothing. */
export type Given = string | true | undefined

export type Option<Value = unknown> = {
  about: string
  /** What stands for the value in the help, or null for an option that has none. */
  placeholder: string | null
  isRequired: boolean
  /** The value may be given as a word without the name of the option. */
  isWord?: boolean
  read(given: Given, name: string): Value
}

export type Options = Readonly<Record<string, Option>>
export type ValuesOf<Of extends Options> = { [Name in keyof Of]: Of[Name] extends Option<infer Value> ? Value : never }

type Facts = { about: string; placeholder: string }

export function requiredText(facts: Facts & { isWord?: boolean }): Option<string> {
  return {
    ...facts,
    isRequired: true,
    read(given, name) {
      const value = readText(given, name, facts.placeholder)
      if (value === null) throw new UsageError(`--${name} is missing. Give it as --${name} ${facts.placeholder}.`)
      return value
    },
  }
}

export function optionalText(facts: Facts): Option<string | null> {
  return { ...facts, isRequired: false, read: (given, name) => readText(given, name, facts.placeholder) }
}

export function textWithDefault({ default: fallback, about, placeholder }: Facts & { default: string }): Option<string> {
  return {
    about: `${about} Without it: ${fallback}.`,
    placeholder,
    isRequired: false,
    read: (given, name) => readText(given, name, placeholder) ?? fallback,
  }
}

export function choice<const Value extends string>({
  about,
  values,
  default: fallback,
}: {
  about: string
  values: readonly Value[]
  default?: Value
}): Option<Value> {
  const placeholder = values.join('|')
  return {
    about: fallback === undefined ? about : `${about} Without it: ${fallback}.`,
    placeholder,
    isRequired: fallback === undefined,
    read(given, name) {
      const text = readText(given, name, placeholder) ?? fallback
      const value = values.find((each) => each === text)
      if (text === undefined) throw new UsageError(`--${name} is missing. Give it as --${name} ${placeholder}.`)
      if (value === undefined) throw new UsageError(`--${name} must be ${listOf(values)}, not "${text}".`)
      return value
    },
  }
}

/** A whole number from `min` to `max`, or null if the option is absent. */
export function optionalNumber({ min, max, ...facts }: Facts & { min: number; max: number }): Option<number | null> {
  return {
    ...facts,
    isRequired: false,
    read(given, name) {
      const text = readText(given, name, facts.placeholder)
      if (text === null) return null
      const value = Number(text)
      if (!Number.isInteger(value) || value < min || value > max)
        throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`)
      return value
    },
  }
}

export function flag({ about }: { about: string }): Option<boolean> {
  return {
    about,
    placeholder: null,
    isRequired: false,
    read(given, name) {
      if (typeof given === 'string') throw new UsageError(`--${name} has no value. Leave "=${given}" away.`)
      return given === true
    },
  }
}

function readText(given: Given, name: string, placeholder: string): string | null {
  if (given === true || given === '') throw new UsageError(`--${name} needs a value. Give it as --${name} ${placeholder}.`)
  return given ?? null
}

function listOf(values: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)
}

/** The command line is wrong. The message says what to write instead; the program ends with exit code 2. */
export class UsageError extends Error {}

import { UsageError } from '../cli-error.ts'

/** An option as it was written, with its place on the command line. */
export type Given = { value: string | true; at: number }

export type Option<Value = unknown> = {
  about: string
  /** What stands for the value in the help, or null for an option that has none. */
  placeholder: string | null
  /** The values that a shell can offer. */
  choices?: readonly string[]
  read(given: readonly Given[], name: string): Value
}

type Facts = { about: string; placeholder: string }
type Placed = { text: string; at: number }

export function flag({ about }: { about: string }): Option<boolean> {
  return {
    about,
    placeholder: null,
    read(given, name) {
      const [first] = given
      if (first !== undefined && first.value !== true)
        throw new UsageError(`--${name} has no value. Leave "=${first.value}" away.`)
      return first !== undefined
    },
  }
}

export function optionalText(facts: Facts): Option<string | null> {
  return {
    ...facts,
    read(given, name) {
      if (given.length > 1) throw new UsageError(`--${name} is given twice. Give it once.`)
      return readAll(given, name, facts.placeholder)[0]?.text ?? null
    },
  }
}

/** An option that can be given several times, with the place of each. */
export function texts(facts: Facts): Option<Placed[]> {
  return { ...facts, read: (given, name) => readAll(given, name, facts.placeholder) }
}

export function optionalChoice<const Value extends string>(facts: {
  about: string
  values: readonly Value[]
}): Option<Value | null> {
  const { about, values } = facts
  const option = optionalText({ about, placeholder: values.join('|') })
  return {
    ...option,
    choices: values,
    read(given, name) {
      const text = option.read(given, name)
      const value = values.find((each) => each === text)
      if (text !== null && value === undefined)
        throw new UsageError(`--${name} must be one of ${values.join(', ')}, not "${text}".`)
      return value ?? null
    },
  }
}

export function optionalNumber({ min, max, ...facts }: Facts & { min: number; max: number }): Option<number | null> {
  const option = optionalText(facts)
  return {
    ...option,
    read(given, name) {
      const text = option.read(given, name)
      if (text === null) return null
      const value = Number(text)
      if (!Number.isInteger(value) || value < min || value > max)
        throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`)
      return value
    },
  }
}

function readAll(given: readonly Given[], name: string, placeholder: string): Placed[] {
  return given.map(({ value, at }) => {
    if (value === true || value === '') throw new UsageError(`--${name} needs a value. Give it as --${name} ${placeholder}.`)
    return { text: value, at }
  })
}

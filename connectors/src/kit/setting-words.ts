import { Type, type TUnsafe } from 'typebox'

type Words = { title: string; description: string; choices?: Readonly<Record<string, string>> }

/** The words of a platform's settings in one language, by the names of the settings. The English words are in the schema itself. */
export type SettingWords = Readonly<Record<string, Words>>

/** A sentence that holds while this setting is on; null: in any other case. The first one that holds is shown. */
type Sentence = { when: string | null; text: string }

/**
 * What a platform wants said where a post for it is written, in its own words. Links are written as `[words](https://…)`. A person
 * agrees by pressing the button that follows `consent`.
 */
export type Declarations = {
  /** What the platform will write on the post, for the settings with which its author discloses advertising. */
  labels: readonly Sentence[]
  consent: readonly Sentence[]
  /** Said once the post is on its way. */
  afterwards: string
  /** By setting: why a value of another setting cannot be chosen with it. */
  excluded: Readonly<Record<string, string>>
}

/** In the schema of a platform's settings, as `x-declarations`. */
export type DeclarationsByLanguage = Readonly<Record<'en' | 'de', Declarations>>

type Options<Value extends string> = { title: string; description: string; default?: Value }

/** A setting with a few values, each with a name that a person can read. The names are in `GET /platforms`, for forms. */
export function choice<const Names extends Record<string, string>>(
  names: Names,
  options: Options<Extract<keyof Names, string>>,
): TUnsafe<Extract<keyof Names, string>> {
  const oneOf = Object.entries(names).map(([value, title]) => ({ const: value, title }))
  return Type.Unsafe<Extract<keyof Names, string>>({ type: 'string', oneOf, ...options })
}

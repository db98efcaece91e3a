/** A sentence that holds while this setting is on; null: in any other case. */
type Sentence = { when: string | null; text: string }

/** What a platform wants said where a post for it is written, in its own words. Links in them are `[words](https://…)`. */
export type Declarations = {
  labels: readonly Sentence[]
  consent: readonly Sentence[]
  afterwards: string | null
  /** By setting: why a value of another setting cannot be chosen with it. */
  excluded: Readonly<Record<string, string>>
}

type Schema = Readonly<Record<string, unknown>>
type Settings = Readonly<Record<string, unknown>>

const none: Declarations = { labels: [], consent: [], afterwards: null, excluded: {} }

/** Reads them from the schema of the platform's settings. */
export function readDeclarations(schema: Schema, language: string): Declarations {
  const byLanguage = schema['x-declarations']
  if (!isObject(byLanguage)) return none
  const words = byLanguage[language] ?? byLanguage['en']
  if (!isObject(words)) return none
  const { labels, consent, afterwards, excluded } = words
  return {
    labels: sentencesIn(labels),
    consent: sentencesIn(consent),
    afterwards: typeof afterwards === 'string' ? afterwards : null,
    excluded: isObject(excluded)
      ? Object.fromEntries(Object.entries(excluded).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])))
      : {},
  }
}

/** The first sentence that holds for these settings. */
export function findSentence(sentences: readonly Sentence[], settings: Settings): string | null {
  return sentences.find(({ when }) => when === null || settings[when] === true)?.text ?? null
}

function sentencesIn(value: unknown): Sentence[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (!isObject(entry) || typeof entry['text'] !== 'string') return []
    return [{ when: typeof entry['when'] === 'string' ? entry['when'] : null, text: entry['text'] }]
  })
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

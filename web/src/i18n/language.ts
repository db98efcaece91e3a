/** The languages of the app, and how each calls itself. A further one is an entry here and a folder like `fr`. */
const languageNames = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const
export type Language = keyof typeof languageNames
export const languages = Object.keys(languageNames) as readonly Language[]

/** Languages that were translated recently, with their own word for "new": their readers may find mistakes. */
const newWords: Readonly<Partial<Record<Language, string>>> = { fr: 'nouveau', es: 'nuevo' }

/** What a choice of languages shows: the name of the language in that language. */
export function labelOf(language: Language): string {
  const word = newWords[language]
  return word === undefined ? languageNames[language] : `${languageNames[language]} (${word})`
}

/** The language that i18next names, as one of ours. */
export function asLanguage(name: string): Language {
  return languages.find((language) => language === name) ?? 'en'
}

/** The text in this language, or in English: platforms' words and the operator's guides are written in English and German only. */
export function pickWords<T extends { en: string }>(words: T, language: string): string {
  return Object.entries(words).find(([name]) => name === language)?.[1] ?? words.en
}

const key = 'carillon.language'

/** The language that was chosen in this browser, or the first one of the browser that we have. */
export function readLanguage(): Language {
  const wanted = [readStored(), ...navigator.languages].map((each) => each?.slice(0, 2).toLowerCase())
  return languages.find((language) => language === wanted.find((each) => languages.some((known) => known === each))) ?? 'en'
}

/** The form of a language that this browser prefers, such as `en-GB`: it decides how dates and numbers are written. */
export function localeOf(language: string): string {
  return navigator.languages.find((each) => each.toLowerCase().startsWith(language)) ?? language
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(key, language)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

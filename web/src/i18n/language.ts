export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** How each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

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

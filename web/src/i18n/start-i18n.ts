import { createInstance, type BackendModule, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { asLanguage, languages, storeLanguage, type Language } from './language.ts'

type Words = Record<string, unknown>

type Files = Readonly<Record<string, () => Promise<{ default: Words }>>>

/** One file per language and subject. Each is loaded when a page first needs it. Every language falls back to English. */
const english: Files = import.meta.glob<{ default: Words }>('./en/*.json')

/** The lists of files of the other languages. Each is loaded with its language, so that a language adds little to what everybody loads. */
const others = import.meta.glob<Files>('./*/files.ts', { import: 'files' })

async function loadWords(language: string, subject: string): Promise<Words> {
  const files = language === 'en' ? english : await others[`./${language}/files.ts`]?.()
  const load = files?.[language === 'en' ? `./en/${subject}.json` : `./${subject}.json`]
  if (!load) throw new Error(`there are no words for ${subject} in ${language}`)
  return (await load()).default
}

const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, subject, done) {
    loadWords(language, subject).then(
      (words) => done(null, words),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    )
  },
}

/** The texts that every page needs. Those of errors are among them: an error may be that nothing can be loaded any more. */
const subjects = ['shell', 'errors'] as const

/** `operator` is the name of whoever runs the installation, which any text may contain. */
export async function startI18n(language: Language, operator: string): Promise<i18n> {
  const instance = createInstance()
  await instance
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: 'en',
      supportedLngs: [...languages],
      ns: subjects,
      defaultNS: 'shell',
      interpolation: { escapeValue: false, defaultVariables: { operator } },
      returnNull: false,
    })
  instance.on('languageChanged', (next) => {
    document.documentElement.lang = next
    storeLanguage(asLanguage(next))
  })
  document.documentElement.lang = language
  return instance
}

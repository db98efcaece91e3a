import { createInstance, type BackendModule, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languages, storeLanguage, type Language } from './language.ts'

type Words = Record<string, unknown>

/** One file per language and subject. Each is loaded when a page first needs it. */
const files = import.meta.glob<{ default: Words }>('./{en,de}/*.json')

const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, subject, done) {
    const load = files[`./${language}/${subject}.json`]
    if (!load) return done(new Error(`there are no words for ${subject} in ${language}`), null)
    load().then(
      ({ default: words }) => done(null, words),
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
    storeLanguage(next === 'de' ? 'de' : 'en')
  })
  document.documentElement.lang = language
  return instance
}

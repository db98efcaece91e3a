import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { labelOf, languages, type Language } from '../i18n/language.ts'
import { Wordmark } from '../theme/logo.tsx'
import { usePageHeading } from '../ui/use-page-heading.ts'

type AccountLayoutProps = {
  title: string
  intro?: ReactNode
  children?: ReactNode
  foot?: ReactNode
  /** For a person who is signed in: the language is stored with them, or the next page would change it back. */
  onLanguage?: (language: Language) => void
}

const legalLook = 'inline-flex min-h-8 items-center hover:text-ink pointer-coarse:min-h-11'

/** The pages around signing in: one column, the mark above, the languages and the operator's legal pages below. */
export function AccountLayout({ title, intro, children, foot, onLanguage }: AccountLayoutProps) {
  const { t, i18n } = useTranslation('people')
  const heading = usePageHeading(title)
  return (
    <div className="flex min-h-dvh flex-col items-center gap-8 px-4 py-10 sm:justify-center sm:py-16">
      <main className="flex w-full max-w-md flex-1 flex-col gap-6 sm:flex-none">
        <Wordmark size="lg" />
        <div className="flex flex-col gap-6 rounded-card border border-line bg-surface p-6 sm:p-8">
          <header className="flex flex-col gap-2">
            <h1 ref={heading} tabIndex={-1} className="font-serif text-2xl text-balance">
              {title}
            </h1>
            {intro !== undefined && <p className="text-quiet">{intro}</p>}
          </header>
          {children}
        </div>
        {foot !== undefined && <div className="px-1 text-center text-base text-quiet">{foot}</div>}
      </main>
      <footer className="flex flex-col items-center gap-2">
        <nav aria-label={t('language')} className="flex flex-wrap justify-center gap-1">
          {languages.map((language) => (
            <button
              key={language}
              type="button"
              lang={language}
              aria-pressed={i18n.language === language}
              onClick={() => (onLanguage ? onLanguage(language) : void i18n.changeLanguage(language))}
              className="min-h-8 rounded-control px-2.5 text-sm text-quiet hover:bg-hover hover:text-ink aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4 pointer-coarse:min-h-11"
            >
              {labelOf(language)}
            </button>
          ))}
        </nav>
        {/* Pages of the server, which need no script: platforms that review an app look for these links here. */}
        <div className="flex flex-wrap justify-center gap-x-4 text-sm text-quiet">
          <a href={`/legal/privacy?lang=${i18n.language}`} className={legalLook}>
            {t('legal.privacy')}
          </a>
          <a href={`/legal/terms?lang=${i18n.language}`} className={legalLook}>
            {t('legal.terms')}
          </a>
          <a href={`/legal/data-deletion?lang=${i18n.language}`} className={legalLook}>
            {t('legal.deletion')}
          </a>
        </div>
      </footer>
    </div>
  )
}

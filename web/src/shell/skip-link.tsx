import { useTranslation } from 'react-i18next'

/** The first stop of the Tab key: past the navigation, to the page. */
export function SkipLink() {
  const { t } = useTranslation('shell')
  return (
    <a
      href="#page"
      className="sr-only z-50 rounded-control bg-bell px-4 py-2 font-medium text-on-bell focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t('skip')}
    </a>
  )
}

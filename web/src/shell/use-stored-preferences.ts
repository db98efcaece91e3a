import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { meGet } from '../api/queries.gen.ts'
import { languages } from '../i18n/language.ts'
import { readTheme, setTheme } from '../theme/theme.ts'

/** Applies the theme and the language that are stored with the person: a new browser does not know them. Null follows the browser. */
export function useStoredPreferences(): void {
  const { i18n } = useTranslation()
  const { data: me } = useQuery({ ...meGet(), staleTime: Number.POSITIVE_INFINITY })
  const theme = me?.theme ?? null
  const language = languages.find((each) => each === me?.locale?.slice(0, 2))
  useEffect(() => {
    if (theme !== null && theme !== readTheme()) setTheme(theme)
  }, [theme])
  useEffect(() => {
    if (language !== undefined && language !== i18n.language) void i18n.changeLanguage(language)
  }, [language, i18n])
}

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../i18n/language.ts'
import { readTheme, setTheme } from '../theme/theme.ts'
import { useMe } from '../workspaces/use-me.ts'

/** Applies the theme and the language that are stored with the person: a new browser does not know them. Null follows the browser. */
export function useStoredPreferences(): void {
  const { i18n } = useTranslation()
  const me = useMe()
  const theme = me?.theme ?? null
  const language = languages.find((each) => each === me?.locale?.slice(0, 2))
  useEffect(() => {
    if (theme !== null && theme !== readTheme()) setTheme(theme)
  }, [theme])
  useEffect(() => {
    if (language !== undefined && language !== i18n.language) void i18n.changeLanguage(language)
  }, [language, i18n])
}

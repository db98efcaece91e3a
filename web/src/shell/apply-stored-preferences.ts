import type { Me } from '@carillon/sdk'
import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import { meGet } from '../api/queries.gen.ts'
import { languages } from '../i18n/language.ts'
import { readTheme, setTheme } from '../theme/theme.ts'

let applied: Me | null = null

/**
 * Applies the theme and the language that are stored with the person, before a page of a workspace is shown for the first time: a new browser
 * does not know them, and would show the page once in its own. Null follows the browser.
 */
export async function applyStoredPreferences(queryClient: QueryClient, i18n: i18n): Promise<void> {
  // Without an answer the page is shown as the browser wants it, and the next page asks again.
  const me = await queryClient.ensureQueryData({ ...meGet(), staleTime: Number.POSITIVE_INFINITY }).catch(() => null)
  if (me === null || me === applied) return
  // Once for each answer: the theme may have been changed in another tab since.
  applied = me
  const theme = me.theme
  if (theme !== null && theme !== readTheme()) setTheme(theme)
  const language = languages.find((each) => each === me.locale?.slice(0, 2))
  if (language !== undefined && language !== i18n.language) await i18n.changeLanguage(language)
}

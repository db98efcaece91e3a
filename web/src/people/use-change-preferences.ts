import type { Me, MyChange } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import type { Language } from '../i18n/language.ts'
import { setTheme, type Theme } from '../theme/theme.ts'

/** Changes the person's own settings. Theme and language take effect at once; all are stored with the person, for every browser. */
export function useChangePreferences(doneTitle?: string) {
  const { i18n } = useTranslation()
  const { mutate } = useChange({
    run: (change: MyChange) => carillon.me.update(change),
    affects: () => [['me.get']],
    paint: (change) => ({ key: ['me.get'], update: (shown) => ({ ...(shown as Me), ...change }) }),
    ...(doneTitle !== undefined && { done: () => ({ title: doneTitle }) }),
  })
  return {
    change: mutate,
    changeLanguage(language: Language) {
      void i18n.changeLanguage(language)
      mutate({ locale: language })
    },
    changeTheme(theme: Theme) {
      setTheme(theme)
      mutate({ theme: theme === 'system' ? null : theme })
    },
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errors/describe-error.ts'
import { languageNames, languages, type Language } from '../i18n/language.ts'
import { useChangePreferences } from '../people/use-change-preferences.ts'
import { readTheme } from '../theme/theme.ts'
import { MenuItem, MenuRadio, MenuSeparator } from '../ui/overlay/menu.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { signOut } from './session-channel.ts'

/** Theme, language, signing out. */
export function PersonRows() {
  return (
    <>
      <PreferenceRows />
      <MenuSeparator />
      <SignOutRow />
    </>
  )
}

function PreferenceRows() {
  const { t, i18n } = useTranslation('shell')
  const [theme, showTheme] = useState(readTheme)
  const { changeLanguage, changeTheme } = useChangePreferences()
  return (
    <>
      <MenuRadio
        label={t('theme.label')}
        value={theme}
        onChange={(next) => {
          showTheme(next)
          changeTheme(next)
        }}
        choices={[
          { value: 'light', label: t('theme.light'), icon: <Sun aria-hidden /> },
          { value: 'dark', label: t('theme.dark'), icon: <Moon aria-hidden /> },
          { value: 'system', label: t('theme.system'), icon: <Monitor aria-hidden /> },
        ]}
      />
      <MenuSeparator />
      <MenuRadio<Language>
        label={t('language')}
        value={i18n.language === 'de' ? 'de' : 'en'}
        onChange={changeLanguage}
        choices={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
    </>
  )
}

function SignOutRow() {
  const { t } = useTranslation('shell')
  const { t: errors } = useTranslation('errors')
  const queryClient = useQueryClient()
  const leave = () => {
    signOut(queryClient).catch((error: unknown) => {
      const { title, sentence } = describeError(error, errors)
      showToast({ kind: 'failed', title, description: sentence })
    })
  }
  return (
    <MenuItem icon={<LogOut aria-hidden />} onSelect={leave}>
      {t('signOut')}
    </MenuItem>
  )
}

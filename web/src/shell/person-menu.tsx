import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentPerson } from '../api/auth.ts'
import { describeError } from '../errors/describe-error.ts'
import { languageNames, languages, type Language } from '../i18n/language.ts'
import { readTheme, setTheme } from '../theme/theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '../ui/overlay/menu.tsx'
import { showToast } from '../ui/overlay/toasts.tsx'
import { signOut } from './session-channel.ts'

/** The person's own menu at the end of the navigation: theme, language, signing out. */
export function PersonMenu() {
  const { t } = useTranslation('shell')
  const { data: person } = useQuery(currentPerson())
  const name = person?.name || person?.email || ''
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          aria-label={t('person.menu', { name })}
          className="flex min-h-12 items-center gap-2.5 rounded-control px-2 text-left hover:bg-hover"
        >
          <Avatar name={name} />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-base">{name}</span>
            <span className="block truncate text-xs text-faint">{person?.email}</span>
          </span>
        </button>
      }
    >
      <PreferenceItems />
      <MenuSeparator />
      <SignOutItem />
    </Menu>
  )
}

export function PreferenceItems() {
  const { t, i18n } = useTranslation('shell')
  const [theme, changeTheme] = useState(readTheme)
  return (
    <>
      <MenuRadio
        label={t('theme.label')}
        value={theme}
        onChange={(next) => {
          setTheme(next)
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
        onChange={(next) => void i18n.changeLanguage(next)}
        choices={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
    </>
  )
}

export function SignOutItem() {
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

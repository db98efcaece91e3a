import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, Keyboard, LogOut, Monitor, Moon, ShieldCheck, Sun, UserRound } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errors/describe-error.ts'
import { asLanguage, labelOf, languages, type Language } from '../i18n/language.ts'
import { useChangePreferences } from '../people/use-change-preferences.ts'
import { readTheme } from '../theme/theme.ts'
import { MenuItem, MenuLink, MenuRadio, MenuSeparator } from '../ui/overlay/menu.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { signOut } from './session-channel.ts'

/** The person's own pages, help, theme, language, signing out. `onShowKeys` is for screens that come with a keyboard. */
export function PersonRows({ onShowKeys }: { onShowKeys?: () => void }) {
  return (
    <>
      {/* Its words are loaded with it; the page behind the menu must not wait for them. */}
      <Suspense fallback={null}>
        <OwnPageRows {...(onShowKeys && { onShowKeys })} />
        <MenuSeparator />
      </Suspense>
      <PreferenceRows />
      <MenuSeparator />
      <SignOutRow />
    </>
  )
}

function OwnPageRows({ onShowKeys }: { onShowKeys?: () => void }) {
  const { t } = useTranslation(['settings', 'keys', 'shell'])
  const { id: workspaceId } = useWorkspace()
  const page = (section: 'profile' | 'security') => (
    <Link to="/w/$workspaceId/settings/$section" params={{ workspaceId, section }} />
  )
  return (
    <>
      <MenuLink icon={<UserRound aria-hidden />} link={page('profile')}>
        {t('settings:sections.profile')}
      </MenuLink>
      <MenuLink icon={<ShieldCheck aria-hidden />} link={page('security')}>
        {t('settings:sections.security')}
      </MenuLink>
      {/* A page of the server, without the app around it. */}
      <MenuLink icon={<BookOpen aria-hidden />} link={<a href="/docs" aria-label={t('keys:docs')} />}>
        {t('keys:docs')}
      </MenuLink>
      {onShowKeys && (
        <MenuItem icon={<Keyboard aria-hidden />} onSelect={onShowKeys} keys="?">
          {t('shell:keys.title')}
        </MenuItem>
      )}
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
        value={asLanguage(i18n.language)}
        onChange={changeLanguage}
        choices={languages.map((value) => ({ value, label: labelOf(value) }))}
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

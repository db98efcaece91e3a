import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { type OwnSession, account, accountActivity, accountSessions, hasPassword } from '../../api/account.ts'
import { auth } from '../../api/auth.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import type words from '../../i18n/en/settings.json'
import { PasswordField } from '../../people/password-field.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { browserZone, formatTime } from '../../time/format-time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Dialog, actionsLook } from '../../ui/overlay/dialog.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { SettingGroup } from '../setting-group.tsx'
import { CurrentPassword } from './current-password.tsx'
import { PasskeysGroup } from './passkeys-group.tsx'
import { TwoFactorGroup } from './two-factor-group.tsx'

export function SecuritySection() {
  const { data: withPassword = true } = useQuery(hasPassword())
  return (
    <>
      {withPassword && <PasswordGroup />}
      {withPassword && <TwoFactorGroup />}
      <PasskeysGroup needsPassword={withPassword} />
      <SessionsGroup />
      <ActivityGroup />
      <EraseGroup needsPassword={withPassword} />
    </>
  )
}

function PasswordGroup() {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const { onSubmit, isPending, error } = useSubmit(
    ({ currentPassword = '', newPassword = '', others }) =>
      account.changePassword({ currentPassword, newPassword, revokeOtherSessions: others === 'on' }),
    () => {
      form.current?.reset()
      void queryClient.invalidateQueries({ queryKey: ['auth.sessions'] })
      showToast({ title: t('password.changed') })
    },
  )
  return (
    <SettingGroup title={t('password.title')}>
      <Form ref={form} onSubmit={onSubmit} className="flex max-w-xl flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        <CurrentPassword name="currentPassword" label={t('password.current')} />
        <PasswordField name="newPassword" label={t('password.new')} />
        <Checkbox name="others" label={t('password.others')} defaultChecked />
        <Button type="submit" isBusy={isPending} className="self-start">
          {t('password.submit')}
        </Button>
      </Form>
    </SettingGroup>
  )
}

type ActionWord = keyof (typeof words)['activity']['actions']

const shownAtFirst = 5

/** What happened to the account: a person sees here what was not them. */
function ActivityGroup() {
  const { t } = useTranslation('settings')
  const { data = [], error, refetch } = useQuery(accountActivity())
  const [isAll, setIsAll] = useState(false)
  const style = { ...useTimeStyle(), zone: browserZone() }
  const say = (action: string) => t(`activity.actions.${action.replace('.', '_') as ActionWord}`, { defaultValue: action })
  return (
    <SettingGroup title={t('activity.title')} description={t('activity.text')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ul aria-label={t('activity.title')} className="flex flex-col">
        {data.slice(0, isAll ? undefined : shownAtFirst).map(({ id, at, action, userAgent, ipAddress }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2 last:border-b-0">
            <span>{say(action)}</span>
            <span className="figures text-sm text-quiet">
              {[deviceName(userAgent ?? ''), ipAddress, formatTime(at, 'dayAndTime', style)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {!isAll && data.length > shownAtFirst && (
        <Button size="sm" className="self-start" onClick={() => setIsAll(true)}>
          {t('activity.all')}
        </Button>
      )}
    </SettingGroup>
  )
}

/** Erases the person's account. People without a password must have signed in a short time ago. */
function EraseGroup({ needsPassword }: { needsPassword: boolean }) {
  const { t } = useTranslation('settings')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <SettingGroup
      title={t('erase.title')}
      description={t('erase.text')}
      actions={
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          {t('erase.open')}
        </Button>
      }
    >
      {isAsking && <EraseDialog needsPassword={needsPassword} onClose={() => setIsAsking(false)} />}
    </SettingGroup>
  )
}

function EraseDialog({ needsPassword, onClose }: { needsPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error } = useSubmit(
    ({ password }) => account.erase(password),
    () => {
      queryClient.clear()
      location.assign('/sign-in')
    },
  )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('erase.ask')}
      description={t('erase.consequence')}
      closeLabel={shell('close')}
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        {needsPassword && <CurrentPassword name="password" label={t('password.yours')} />}
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="danger" isBusy={isPending}>
            {t('erase.confirm')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** Where the person is signed in, and how to end it. */
function SessionsGroup() {
  const { t } = useTranslation('settings')
  const { data: sessions, error, refetch } = useQuery(accountSessions())
  const affects = () => [accountSessions().queryKey]
  const { mutate: endOthers, isPending } = useChange({
    run: () => auth.signOutElsewhere(),
    affects,
    done: () => ({ title: t('sessions.othersEnded') }),
  })
  const { mutate: end } = useChange({
    run: ({ token }: OwnSession) => account.endSession(token),
    affects,
    done: () => ({ title: t('sessions.ended') }),
  })
  const hasOthers = sessions !== undefined && sessions.length > 1
  return (
    <SettingGroup
      title={t('sessions.title')}
      description={t('sessions.text')}
      actions={
        <Button disabled={!hasOthers} isBusy={isPending} onClick={() => endOthers(undefined)}>
          {t('sessions.endOthers')}
        </Button>
      }
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!sessions && !error && <SkeletonLines label={t('loading')} />}
      {sessions && (
        <ul aria-label={t('sessions.title')} className="rounded-card border border-line bg-surface">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end(session)} />
          ))}
        </ul>
      )}
    </SettingGroup>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { t } = useTranslation('settings')
  const style = useTimeStyle()
  const { userAgent, ipAddress, updatedAt, isCurrent } = session
  const device = deviceName(userAgent ?? '') ?? t('sessions.unknown')
  const time = formatTime(updatedAt, 'dayAndTime', { ...style, zone: browserZone() })
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{device}</p>
        <p className="figures text-sm text-quiet">
          {t('sessions.seen', { time })}
          {ipAddress ? ` · ${ipAddress}` : ''}
        </p>
      </div>
      {isCurrent ? (
        <Badge tone="verdigris">{t('sessions.here')}</Badge>
      ) : (
        <Button size="sm" aria-label={t('sessions.endOf', { device })} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

// The order matters: Edge and Opera also name Chrome, and Chrome also names Safari.
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** "Firefox, Windows" from the name that a browser gives itself; null where it is not known. */
function deviceName(userAgent: string): string | null {
  const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const names = [find(browsers), find(systems)].filter((name) => name !== undefined)
  return names.length > 0 ? names.join(', ') : null
}

import type { Me } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account, hasPassword } from '../../api/account.ts'
import { signInMethods } from '../../api/auth.ts'
import { carillon } from '../../api/client.ts'
import { meGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { asLanguage, labelOf, languages, type Language } from '../../i18n/language.ts'
import { useChangePreferences } from '../../people/use-change-preferences.ts'
import { useSubmit } from '../../people/use-submit.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'
import type { Theme } from '../../theme/theme.ts'
import { browserZone } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { CurrentPassword } from './current-password.tsx'

/** The person's own name, language, theme and times. They are the same in every workspace. */
export function ProfileSection() {
  const { t } = useTranslation('settings')
  const { data: me, error, refetch } = useQuery(meGet())
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!me) return <SkeletonLines label={t('loading')} count={5} />
  return (
    <>
      <NameForm me={me} />
      <AddressGroup me={me} />
      <PreferenceGroup me={me} />
    </>
  )
}

function NameForm({ me }: { me: Me }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error } = useSubmit(
    ({ name = '' }) => account.rename(name.trim()),
    () => {
      for (const operation of ['me.get', 'auth.person', 'workspaces.members'])
        void queryClient.invalidateQueries({ queryKey: [operation] })
      showToast({ title: t('saved') })
    },
  )
  return (
    <SettingGroup title={t('profile.you')}>
      <Form onSubmit={onSubmit} className="flex max-w-xl flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        <Field label={t('profile.name')}>
          <Input name="name" defaultValue={me.name} required maxLength={100} autoComplete="name" />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending} className="self-start">
          {t('save')}
        </Button>
      </Form>
    </SettingGroup>
  )
}

/** The address with which the person signs in. A new one counts when they have opened the link that is mailed to it. */
function AddressGroup({ me }: { me: Me }) {
  const { t } = useTranslation('settings')
  const { t: people } = useTranslation('people')
  const { data: methods } = useQuery(signInMethods())
  const title = t('address.title')
  if (methods?.mail === false)
    return (
      <SettingGroup title={title} description={t('address.noMail', { email: me.email })}>
        <CopyText
          label={people('mailSent.command')}
          text={`carillon change-address ${me.email} --to ${t('address.placeholder')}`}
          copyLabel={people('mailSent.copy')}
          copiedLabel={people('mailSent.copied')}
        />
      </SettingGroup>
    )
  return (
    <SettingGroup title={title} description={t('address.text', { email: me.email })}>
      <AddressForm />
    </SettingGroup>
  )
}

function AddressForm() {
  const { t } = useTranslation('settings')
  const { data: withPassword = true } = useQuery(hasPassword())
  const form = useRef<HTMLFormElement>(null)
  const { onSubmit, isPending, error } = useSubmit(
    ({ email = '', password }) => account.changeAddress({ email: email.trim(), ...(password !== undefined && { password }) }),
    (_result, { email = '' }) => {
      form.current?.reset()
      showToast({ title: t('address.sent', { email: email.trim() }), description: t('address.sentHint') })
    },
  )
  return (
    <Form ref={form} onSubmit={onSubmit} className="flex max-w-xl flex-col gap-4">
      {error && <ErrorNotice error={error} />}
      <Field label={t('address.new')}>
        <Input name="email" type="email" required maxLength={254} autoComplete="off" />
      </Field>
      {withPassword && <CurrentPassword name="password" label={t('password.yours')} />}
      <Button type="submit" isBusy={isPending} className="self-start">
        {t('address.submit')}
      </Button>
    </Form>
  )
}

/** Each choice takes effect at once. */
function PreferenceGroup({ me }: { me: Me }) {
  const { t, i18n } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { change, changeLanguage, changeTheme } = useChangePreferences(t('saved'))
  return (
    <SettingGroup title={t('profile.preferences')} description={t('profile.preferencesHint')}>
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Field label={shell('language')}>
          <Select<Language>
            value={asLanguage(i18n.language)}
            onChange={changeLanguage}
            options={languages.map((value) => ({ value, label: labelOf(value) }))}
          />
        </Field>
        <Field label={shell('theme.label')}>
          <Select<Theme>
            value={me.theme ?? 'system'}
            onChange={changeTheme}
            options={[
              { value: 'light', label: shell('theme.light') },
              { value: 'dark', label: shell('theme.dark') },
              { value: 'system', label: shell('theme.system') },
            ]}
          />
        </Field>
        <Field label={t('profile.weekStart')}>
          <Select
            value={me.weekStart ?? 'browser'}
            onChange={(weekStart) => change({ weekStart: weekStart === 'browser' ? null : weekStart })}
            options={[
              { value: 'browser', label: t('profile.asBrowser') },
              { value: 'monday', label: t('profile.monday') },
              { value: 'sunday', label: t('profile.sunday') },
              { value: 'saturday', label: t('profile.saturday') },
            ]}
          />
        </Field>
        <Field label={t('profile.hours')}>
          <Select
            value={me.hourCycle ?? 'browser'}
            onChange={(hourCycle) => change({ hourCycle: hourCycle === 'browser' ? null : hourCycle })}
            options={[
              { value: 'browser', label: t('profile.asBrowser') },
              { value: 'h23', label: t('profile.h23') },
              { value: 'h12', label: t('profile.h12') },
            ]}
          />
        </Field>
      </div>
      <ZoneForm me={me} />
    </SettingGroup>
  )
}

function ZoneForm({ me }: { me: Me }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ timezone = '' }) => carillon.me.update({ timezone: timezone.trim() === '' ? null : timezone.trim() }),
    () => {
      void queryClient.invalidateQueries({ queryKey: ['me.get'] })
      showToast({ title: t('saved') })
    },
  )
  return (
    <form onSubmit={onSubmit} className="flex max-w-xl flex-col gap-3">
      {error && <ErrorNotice error={error} hidesDetails />}
      <ZoneField
        label={t('profile.zone')}
        hint={t('profile.zoneHint')}
        defaultValue={me.timezone ?? ''}
        emptyMeans={browserZone()}
        isRequired={false}
        error={fieldErrors['timezone']}
      />
      <Button type="submit" isBusy={isPending} className="self-start">
        {t('profile.saveZone')}
      </Button>
    </form>
  )
}

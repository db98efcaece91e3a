import type { Me } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account, hasPassword } from '../../api/account.ts'
import { signInMethods } from '../../api/auth.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'
import { CurrentPassword } from './current-password.tsx'

/** The address with which the person signs in. A new one counts when they have opened the link that is mailed to it. */
export function AddressGroup({ me }: { me: Me }) {
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

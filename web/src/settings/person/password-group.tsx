import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account } from '../../api/account.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { PasswordField } from '../../people/password-field.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'
import { CurrentPassword } from './current-password.tsx'

export function PasswordGroup() {
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

import type { Me } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account } from '../../api/account.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'

export function NameForm({ me }: { me: Me }) {
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

import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { carillon } from '../api/client.ts'
import { workspacesList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { AccountLayout } from '../people/account-layout.tsx'
import { useChangePreferences } from '../people/use-change-preferences.ts'
import { useSubmit } from '../people/use-submit.ts'
import { browserZone } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'

export function NewWorkspacePage() {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const { changeLanguage } = useChangePreferences()
  const navigate = useNavigate()
  const openWorkspace = async (workspaceId: string) => {
    await queryClient.invalidateQueries({ queryKey: workspacesList().queryKey })
    await navigate({ to: '/w/$workspaceId/start', params: { workspaceId } })
  }
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '' }) => carillon.workspaces.create({ name, timezone: browserZone() }),
    ({ id }) => void openWorkspace(id),
  )
  return (
    <AccountLayout
      title={t('newWorkspace.title')}
      intro={t('newWorkspace.intro')}
      onLanguage={changeLanguage}
      foot={<Link to="/">{t('newWorkspace.back')}</Link>}
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails />}
        <Field label={t('newWorkspace.name')} error={fieldErrors['name']}>
          <Input name="name" autoComplete="organization" required maxLength={100} />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t('newWorkspace.submit')}
        </Button>
      </Form>
    </AccountLayout>
  )
}

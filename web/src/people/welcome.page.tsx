import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { auth, signInMethods } from '../api/auth.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { browserZone } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { AccountLayout } from './account-layout.tsx'
import { NewAccountFields } from './new-account-fields.tsx'
import { useSubmit } from './use-submit.ts'

/** The first page of an empty install: the account and the workspace of its first person. */
export function WelcomePage() {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: methods } = useQuery(signInMethods())
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '', email = '', password = '', workspace = '', setupCode }) =>
      auth.firstRun({ name, email, password, workspace, timezone: browserZone(), ...(setupCode && { setupCode }) }),
    ({ workspaceId }) => {
      queryClient.clear()
      void navigate({ to: '/w/$workspaceId/start', params: { workspaceId } })
    },
  )
  return (
    <AccountLayout title={t('welcome.title')} intro={t('welcome.intro')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails />}
        <NewAccountFields errors={fieldErrors} />
        <Field label={t('welcome.workspace')} hint={t('welcome.workspaceHint')} error={fieldErrors['workspace']}>
          <Input name="workspace" autoComplete="organization" required maxLength={100} />
        </Field>
        {methods?.setupCode && (
          <Field label={t('welcome.setupCode')} hint={t('welcome.setupCodeHint')} error={fieldErrors['setupCode']}>
            <Input name="setupCode" autoComplete="off" required />
          </Field>
        )}
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t('welcome.submit')}
        </Button>
      </Form>
    </AccountLayout>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { acceptInvitation, invitationOffer } from '../api/invitations.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { AccountLayout } from './account-layout.tsx'
import { PasswordField } from './password-field.tsx'
import { useSubmit } from './use-submit.ts'

/** Behind the link of an invitation. A person without an account chooses a password here and is signed in. */
export function JoinPage() {
  const { t } = useTranslation('people')
  const { token = '' } = useSearch({ from: '/join' })
  const { data: offer, error: offerError } = useQuery(invitationOffer(token))
  if (offerError)
    return (
      <AccountLayout title={t('join.failed')} foot={<Link to="/sign-in">{t('mailSent.back')}</Link>}>
        <ErrorNotice error={offerError} />
      </AccountLayout>
    )
  if (!offer)
    return (
      <AccountLayout title={t('join.loading')}>
        <SkeletonLines label={t('join.loading')} />
      </AccountLayout>
    )
  const { workspace, email, role, invitedBy, needsPassword } = offer
  const by = invitedBy ?? t('join.formerMember')
  return (
    <AccountLayout title={t('join.title', { workspace })} intro={t('join.intro', { by, email, role: t(`roles.${role}`) })}>
      <JoinForm token={token} needsPassword={needsPassword} />
    </AccountLayout>
  )
}

function JoinForm({ token, needsPassword }: { token: string; needsPassword: boolean }) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name, password }) => acceptInvitation(token, { ...(name && { name }), ...(password && { password }) }),
    ({ workspaceId }) => {
      queryClient.clear()
      // A person who is not signed in yet is asked to, and then comes here.
      void navigate({ to: '/w/$workspaceId', params: { workspaceId } })
    },
  )
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error && <ErrorNotice error={error} hidesDetails />}
      {needsPassword && (
        <>
          <Field label={t('fields.name')} error={fieldErrors['name']}>
            <Input name="name" autoComplete="name" required maxLength={100} />
          </Field>
          <PasswordField name="password" error={fieldErrors['password']} />
        </>
      )}
      <Button type="submit" variant="primary" isBusy={isPending}>
        {t('join.submit')}
      </Button>
    </Form>
  )
}

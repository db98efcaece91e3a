import type { Role } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { useAccess } from '../use-access.ts'
import { useRoles } from './use-roles.ts'

export function InviteForm() {
  const { t } = useTranslation('settings')
  const { workspaceId, isOwner } = useAccess()
  const queryClient = useQueryClient()
  const roles = useRoles().filter(({ value }) => value !== 'owner' || isOwner)
  const [role, setRole] = useState<Role>('editor')
  const form = useRef<HTMLFormElement>(null)
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ email = '' }) => carillon.workspaces.invite(workspaceId, { email: email.trim(), role }),
    ({ email, link }) => {
      void queryClient.invalidateQueries({ queryKey: ['workspaces.invitations', workspaceId] })
      form.current?.reset()
      showToast({ title: t(link === null ? 'invitations.invited' : 'invitations.invitedByLink', { email }) })
    },
  )
  return (
    <Form ref={form} onSubmit={onSubmit} className="flex flex-col gap-3">
      {error && <ErrorNotice error={error} hidesDetails={fieldErrors['email'] !== undefined} />}
      <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
        <Field label={t('invitations.email')} error={fieldErrors['email']} className="flex-1">
          <Input name="email" type="email" required maxLength={254} autoComplete="off" />
        </Field>
        <Field label={t('invitations.role')} className="sm:w-40">
          <Select value={role} options={roles} onChange={setRole} />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t('invitations.submit')}
        </Button>
      </div>
      <p className="text-sm text-quiet">{t(`invitations.rights.${role}`)}</p>
    </Form>
  )
}

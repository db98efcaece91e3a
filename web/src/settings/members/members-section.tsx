import type { Invitation, Role } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { workspacesInvitations } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { localeOf } from '../../i18n/language.ts'
import { useSubmit } from '../../people/use-submit.ts'
import { formatTime } from '../../time/format-time.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { MembersGroup } from './members-group.tsx'
import { useRoles } from './use-roles.ts'

export function MembersSection() {
  const { isAdmin } = useAccess()
  return (
    <>
      <MembersGroup />
      {isAdmin && <InvitationsGroup />}
    </>
  )
}

/** Inviting people, and the invitations that are open. */
function InvitationsGroup() {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { data, error, refetch } = useQuery(workspacesInvitations(workspaceId))
  const open = data?.filter(({ status }) => status !== 'accepted') ?? []
  return (
    <SettingGroup title={t('invitations.title')} description={t('invitations.text')}>
      <InviteForm />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {open.length > 0 && (
        <ul aria-label={t('invitations.title')} className="rounded-card border border-line bg-surface">
          {open.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </SettingGroup>
  )
}

const mailTones: Readonly<Record<Invitation['mail'], Tone>> = {
  waiting: 'dusk',
  sent: 'verdigris',
  failed: 'rust',
  not_configured: 'straw',
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t, i18n } = useTranslation('settings')
  const { workspaceId, workspace } = useAccess()
  const { email, role, status, mail, link, expiresAt } = invitation
  const until = formatTime(expiresAt, 'day', { zone: workspace.timezone, language: localeOf(i18n.language) })
  const { mutate, isPending } = useChange({
    run: () => carillon.workspaces.deleteInvitation(workspaceId, invitation.id),
    affects: () => [['workspaces.invitations', workspaceId]],
    done: () => ({ title: t('invitations.withdrawn', { email }) }),
  })
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line p-3 last:border-b-0 sm:px-4">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{email}</p>
        <p className="text-sm text-quiet">
          {t(`roles.${role}`)} · {status === 'expired' ? t('invitations.expired') : t('invitations.until', { until })}
        </p>
      </div>
      <Badge tone={mailTones[mail]}>{t(`invitations.mail.${mail}`)}</Badge>
      <Button size="sm" isBusy={isPending} aria-label={t('invitations.withdrawOf', { email })} onClick={() => mutate(undefined)}>
        {t('invitations.withdraw')}
      </Button>
      {link !== null && (
        <div className="basis-full">
          <CopyText
            label={t('invitations.linkOf', { email })}
            text={link}
            copyLabel={t('invitations.copyLink')}
            copiedLabel={t('copied')}
          />
        </div>
      )}
    </li>
  )
}

function InviteForm() {
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

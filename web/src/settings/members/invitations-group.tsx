import type { Invitation } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { workspacesInvitations } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { localeOf } from '../../i18n/language.ts'
import { formatTime } from '../../time/format-time.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { InviteForm } from './invite-form.tsx'

/** Inviting people, and the invitations that are open. */
export function InvitationsGroup() {
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

import type { Member, Role } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { currentPerson } from '../../api/auth.ts'
import { carillon } from '../../api/client.ts'
import { workspacesMembers } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Select } from '../../ui/form/select.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { useRoles } from './use-roles.ts'

/** Who works here, and in which role. */
export function MembersGroup() {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const { data: members, error, refetch } = useQuery(workspacesMembers(workspaceId))
  const { data: me } = useQuery(currentPerson())
  const [removed, setRemoved] = useState<Member | null>(null)
  const { mutate: changeRole } = useChange({
    run: ({ member, role }: { member: Member; role: Role }) =>
      carillon.workspaces.updateMember(workspaceId, member.userId, { role }),
    affects: () => [['workspaces.members', workspaceId], ['workspaces.list']],
    done: ({ member }) => ({ title: t('members.roleChanged', { name: member.name || member.email }) }),
  })
  return (
    <SettingGroup title={t('members.title')} description={t('members.text')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!members && !error && <SkeletonLines label={t('loading')} />}
      {members && (
        <ul className="rounded-card border border-line bg-surface">
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              isMe={member.userId === me?.id}
              canChange={isAdmin}
              onRole={(role) => changeRole({ member, role })}
              onRemove={() => setRemoved(member)}
            />
          ))}
        </ul>
      )}
      {removed && <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} />}
    </SettingGroup>
  )
}

function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspaceId } = useAccess()
  const name = member.name || member.email
  const { mutate, isPending, error } = useChange({
    run: () => carillon.workspaces.removeMember(workspaceId, member.userId),
    affects: () => [['workspaces.members', workspaceId]],
    done: () => ({ title: t('members.removed', { name }) }),
    onDone: onClose,
    showsErrors: false,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('members.askRemove', { name })}
      description={t('members.removeConsequence')}
      cancelLabel={shell('cancel')}
      confirmLabel={t('members.confirmRemove')}
      isBusy={isPending}
      onConfirm={() => mutate(undefined)}
    >
      {error && <ErrorNotice error={error} />}
    </ConfirmDialog>
  )
}

type MemberRowProps = {
  member: Member
  isMe: boolean
  canChange: boolean
  onRole: (role: Role) => void
  onRemove: () => void
}

function MemberRow({ member, isMe, canChange, onRole, onRemove }: MemberRowProps) {
  const { t } = useTranslation('settings')
  const roles = useRoles()
  const name = member.name || member.email
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line p-3 last:border-b-0 sm:px-4">
      <Avatar name={name} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex items-center gap-2 truncate font-medium">
          {name} {isMe && <Badge>{t('members.you')}</Badge>}
        </p>
        <p className="truncate text-sm text-quiet">{member.email}</p>
      </div>
      {canChange ? (
        <>
          <Select
            label={t('members.roleOf', { name })}
            value={member.role}
            options={roles}
            onChange={(role) => role !== member.role && onRole(role)}
            className="w-36!"
          />
          <IconButton label={t('members.remove', { name })} icon={<UserMinus aria-hidden />} disabled={isMe} onClick={onRemove} />
        </>
      ) : (
        <span className="text-quiet">{roles.find(({ value }) => value === member.role)?.label}</span>
      )}
    </li>
  )
}

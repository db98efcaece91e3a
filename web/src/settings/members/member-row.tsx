import type { Member, Role } from '@carillon/sdk'
import { UserMinus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Select } from '../../ui/form/select.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useRoles } from './use-roles.ts'

type MemberRowProps = {
  member: Member
  isMe: boolean
  canChange: boolean
  onRole: (role: Role) => void
  onRemove: () => void
}

export function MemberRow({ member, isMe, canChange, onRole, onRemove }: MemberRowProps) {
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

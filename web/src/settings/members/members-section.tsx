import { useAccess } from '../use-access.ts'
import { InvitationsGroup } from './invitations-group.tsx'
import { MembersGroup } from './members-group.tsx'

export function MembersSection() {
  const { isAdmin } = useAccess()
  return (
    <>
      <MembersGroup />
      {isAdmin && <InvitationsGroup />}
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { useAccess } from '../use-access.ts'
import { Notice } from '../../ui/notice.tsx'
import { LeaveGroup } from './leave-group.tsx'
import { RemoveWorkspaceGroup } from './remove-workspace-group.tsx'
import { UsageGroup } from './usage-groups.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

/** The name, the time zone, what happens to late posts, what is used, and the ways out. */
export function WorkspaceSection() {
  const { t } = useTranslation('settings')
  const { workspace, isAdmin, isOwner } = useAccess()
  return (
    <>
      {!isAdmin && <Notice title={t('onlyAdmins')} />}
      <WorkspaceForm key={workspace.id} workspace={workspace} canChange={isAdmin} />
      {!workspace.hasPlans && <UsageGroup />}
      <LeaveGroup />
      {isOwner && <RemoveWorkspaceGroup />}
    </>
  )
}

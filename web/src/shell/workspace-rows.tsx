import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { workspacesList } from '../api/queries.gen.ts'
import { Avatar } from '../ui/avatar.tsx'
import { MenuLink, MenuSeparator } from '../ui/overlay/menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** The person's workspaces as rows of a menu. */
export function WorkspaceRows() {
  const { t } = useTranslation('shell')
  const current = useWorkspace()
  const { data: workspaces = [] } = useQuery(workspacesList())
  return (
    <>
      {workspaces.map(({ id, name }) => (
        <MenuLink
          key={id}
          icon={id === current.id ? <Check className="text-bell" aria-hidden /> : <Avatar name={name} size="sm" />}
          link={<Link to="/w/$workspaceId" params={{ workspaceId: id }} />}
        >
          {name}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuLink icon={<Plus aria-hidden />} link={<Link to="/new-workspace" />}>
        {t('workspaces.new')}
      </MenuLink>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { workspacesList } from '../api/queries.gen.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuLink, MenuSeparator } from '../ui/overlay/menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

export function WorkspaceSwitcher() {
  const { t } = useTranslation('shell')
  const { name } = useWorkspace()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t('workspaces.switch', { name })}
          className="flex min-h-11 items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 text-left hover:bg-hover"
        >
          <Avatar name={name} size="sm" />
          <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
        </button>
      }
    >
      <WorkspaceItems />
    </Menu>
  )
}

/** The person's workspaces as rows of a menu. */
export function WorkspaceItems() {
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

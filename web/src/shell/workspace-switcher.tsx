import { ChevronsUpDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../ui/avatar.tsx'
import { LazyMenu } from '../ui/overlay/lazy-menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

export function WorkspaceSwitcher() {
  const { t } = useTranslation('shell')
  const { name } = useWorkspace()
  return (
    <LazyMenu
      align="start"
      load={async () => {
        const { WorkspaceRows } = await import('./workspace-rows.tsx')
        return () => <WorkspaceRows />
      }}
      trigger={
        <button
          type="button"
          className="flex min-h-11 items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 text-left hover:bg-hover"
        >
          <Avatar name={name} size="sm" />
          <span className="min-w-0 flex-1 truncate font-medium">
            <span className="sr-only">{t('workspaces.current')} </span>
            {name}
          </span>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
        </button>
      }
    />
  )
}

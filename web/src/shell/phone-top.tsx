import { Logo } from '../theme/logo.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** On a phone, the workspace is named above the page. It is changed in the menu of the bar below. */
export function PhoneTop() {
  const { name } = useWorkspace()
  return (
    <div className="flex items-center gap-2 px-4 pt-3 text-sm text-quiet sm:px-6 md:hidden">
      <Logo className="size-4 text-bell" />
      <span className="truncate">{name}</span>
    </div>
  )
}

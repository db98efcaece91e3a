import { needsApproval, roleAllows } from '@carillon/core'
import type { Workspace } from '@carillon/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { workspacesList } from '../api/queries.gen.ts'

/** The workspace whose page is shown, with the person's role in it. Only below `/w/$workspaceId`. */
export function useWorkspace(): Workspace {
  const { workspaceId } = useParams({ strict: false })
  const { data } = useSuspenseQuery(workspacesList())
  const workspace = data.find(({ id }) => id === workspaceId)
  // The route has checked it before it showed a page.
  if (!workspace) throw new Error(`there is no workspace ${String(workspaceId)}`)
  return workspace
}

/** Whether the person may do in this workspace what this role may. The server checks the same; pages do not offer what it would refuse. */
export function useMay(needed: Workspace['role']): boolean {
  return roleAllows(useWorkspace().role, needed)
}

/** Whether another person must approve what this person publishes here. */
export function useNeedsApproval(): boolean {
  const { approval, role } = useWorkspace()
  return needsApproval(approval, { role, isProgram: false, isAgent: false })
}

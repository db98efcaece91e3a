import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'

/** What the person may do in the workspace. The server checks the same; this only hides what it would refuse. */
export function useAccess() {
  const workspace = useWorkspace()
  return { workspace, workspaceId: workspace.id, isOwner: useMay('owner'), isAdmin: useMay('admin') }
}

import { needsApproval } from '@carillon/core'
import { useWorkspace } from './use-workspace.ts'

/** Whether another person must approve what this person publishes here. */
export function useNeedsApproval(): boolean {
  const { approval, role } = useWorkspace()
  return needsApproval(approval, { role, isProgram: false })
}

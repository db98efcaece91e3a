import { roleAllows } from '@carillon/core'
import type { Workspace } from '@carillon/sdk'
import { useWorkspace } from './use-workspace.ts'

/** Whether the person may do in this workspace what this role may. The server checks the same; pages do not offer what it would refuse. */
export function useMay(needed: Workspace['role']): boolean {
  return roleAllows(useWorkspace().role, needed)
}

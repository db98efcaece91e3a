import { eraseChanges } from '../audit/erase-changes.ts'
import { dropEvents } from '../events/drop-events.ts'
import type { Asked } from '../http/call.ts'
import { forgetFiles } from '../media/forget-files.ts'
import { problem } from '../problem.ts'
import { forgetKeys } from './recognise-key.ts'
import { deleteWorkspace } from './workspace.store.ts'

/**
 * What a workspace has outside the tables that go with it. Each runs in the transaction, while the rows are still there to be read; files
 * are removed by work that the step leaves behind.
 */
const steps: readonly ((asked: Asked) => Promise<void>)[] = [dropEvents, forgetFiles]

/** Erases a workspace and everything in it, sealed secrets and their keys included. One line of the audit log remains: that it was done. */
export async function eraseWorkspace(asked: Asked): Promise<null> {
  for (const step of steps) await step(asked)
  if (!(await deleteWorkspace(asked.tx, asked.principal.workspaceId))) throw problem('workspace_not_found')
  await eraseChanges(asked)
  asked.afterCommit(forgetKeys)
  return null
}

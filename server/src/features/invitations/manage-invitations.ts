import type { Invitation } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { deleteInvitation, listInvitations } from './invitation.store.ts'
import { shownLink } from './invitation-link.ts'
import { presentInvitation } from './present-invitation.ts'

export async function getInvitations(scope: RequestScope): Promise<Invitation[]> {
  const rows = await listInvitations(scope.tx, scope.principal.workspaceId)
  return rows.map((row) => presentInvitation(row, scope.nowMs, shownLink(scope, row)))
}

/** Revoking takes effect at once: the link in the mail no longer works. */
export async function revokeInvitation({ tx, principal }: RequestScope, id: string): Promise<Answer<null>> {
  if (!(await deleteInvitation(tx, { workspaceId: principal.workspaceId, id }))) throw problem('invitation_not_found')
  return new Answer(null, { subjectId: id })
}

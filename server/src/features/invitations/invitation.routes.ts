import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { invite } from './invite.ts'
import { getInvitations, revokeInvitation } from './manage-invitations.ts'

export function invitationRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.invitations, (call) => getInvitations(call))
  serve(app, ctx, workspaces.invite, (call) => invite(call, call.body))
  serve(app, ctx, workspaces.deleteInvitation, (call) => revokeInvitation(call, call.params.inviteId))
}

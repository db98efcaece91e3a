import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeRole, getMembers, leaveWorkspace, removeMember, type MemberHooks } from './manage-members.ts'

export const memberRoutes = (hooks: MemberHooks) => (app: FastifyInstance, ctx: Context) => {
  serve(app, ctx, workspaces.members, (call) => getMembers(call))
  serve(app, ctx, workspaces.updateMember, (call) =>
    changeRole(call, { userId: call.params.userId, role: call.body.role }, hooks),
  )
  serve(app, ctx, workspaces.leave, (call) => leaveWorkspace(call, hooks))
  serve(app, ctx, workspaces.removeMember, (call) => removeMember(call, call.params.userId, hooks))
}

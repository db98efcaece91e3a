import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeRole, getMembers, removeMember } from './manage-members.ts'

export function memberRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.members, (call) => getMembers(call))
  serve(app, ctx, workspaces.updateMember, (call) => changeRole(call, call.params.userId, call.body.role))
  serve(app, ctx, workspaces.removeMember, (call) => removeMember(call, call.params.userId))
}

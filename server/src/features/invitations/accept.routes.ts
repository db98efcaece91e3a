import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sendPage, wantsPage } from '../../infra/http/send-page.ts'
import { problem } from '../../infra/problem/problem.ts'
import { acceptInvitation, readInvitation } from './accept-invitation.ts'

const path = '/invitations/accept'

/** The page behind the link of an invitation, outside the API. Opening it shows the invitation; only the button accepts it. */
export function acceptRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    // The button sends an empty form; the token is in the address.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, read) => {
      payload.resume().on('end', () => read(null, undefined))
    })
    scope.get(path, async (request, reply) => {
      const token = tokenOf(request)
      const invitation = await readInvitation(ctx, token)
      if (!wantsPage(request)) return { success: true, data: invitation }
      const { workspace, email, role, invitedBy } = invitation
      return sendPage(reply, {
        title: `Join ${workspace}`,
        paragraphs: [`${invitedBy ?? 'A former member'} invites ${email} to join “${workspace}” as ${role}.`],
        button: { label: 'Accept', action: `${path}?token=${encodeURIComponent(token)}` },
      })
    })
    scope.post(path, async (request, reply) => {
      const joined = await acceptInvitation(ctx, tokenOf(request), request.id)
      if (!wantsPage(request)) return { success: true, data: joined }
      const paragraphs = [`You are now a member of “${joined.workspace}” as ${joined.role}. You can close this page.`]
      return sendPage(reply, { title: 'Welcome', paragraphs })
    })
    done()
  })
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  if (typeof token !== 'string' || token.length > 100) throw problem('invitation_not_found')
  return token
}

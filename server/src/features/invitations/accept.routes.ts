import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sendPage, wantsPage } from '../../infra/http/send-page.ts'
import { problem } from '../../infra/problem/problem.ts'
import { acceptInvitation, readInvitation } from './accept-invitation.ts'

const path = '/invitations/accept'

/** Where the link in an invitation leads, outside the API: opening it shows the offer, only the button accepts it. */
export function acceptRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    // The button sends an empty form; the token is in the address.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, read) => {
      payload.resume().on('end', () => read(null, undefined))
    })
    scope.get(path, async (request, reply) => {
      const token = tokenOf(request)
      const offer = await readInvitation(ctx, token)
      if (!wantsPage(request)) return { success: true, data: offer }
      return sendPage(reply, {
        title: `Join ${offer.workspace}`,
        paragraphs: [`${offer.invitedBy ?? 'Somebody'} invites ${offer.email} to join “${offer.workspace}” as ${offer.role}.`],
        button: { label: 'Accept', action: `${path}?token=${encodeURIComponent(token)}` },
      })
    })
    scope.post(path, async (request, reply) => {
      const joined = await acceptInvitation(ctx, tokenOf(request), request.id)
      if (!wantsPage(request)) return { success: true, data: joined }
      const paragraphs = [`You belong to “${joined.workspace}” now, as ${joined.role}. You can close this page.`]
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

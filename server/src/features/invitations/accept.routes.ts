import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sendPage, wantsPage } from '../../infra/http/send-page.ts'
import { problem } from '../../infra/problem/problem.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { checkFields } from '../people/check-fields.ts'
import { openSession } from '../people/find-session-holder.ts'
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
        paragraphs: [`${invitedBy} invites ${email} to join “${workspace}” as ${role}.`],
        button: { label: 'Accept', action: `${path}?token=${encodeURIComponent(token)}` },
      })
    })
    scope.post(path, async (request, reply) => {
      const { name, password } = readChosen(request)
      // A page of another site must not be able to sign a person in to an account of its choice.
      if (password !== undefined) guardOrigin(ctx.config, request)
      const { email, ...joined } = await acceptInvitation(ctx, tokenOf(request), { name, password, traceId: request.id })
      if (password !== undefined && joined.next === 'signed_in') await openSession(ctx, { request, reply }, { email, password })
      if (!wantsPage(request)) return { success: true, data: joined }
      const paragraphs = [`You are now a member of “${joined.workspace}” as ${joined.role}. You can close this page.`]
      return sendPage(reply, { title: 'Welcome', paragraphs })
    })
    done()
  })
}

/** What a person who could not sign in before chose on the page. */
function readChosen({ body }: FastifyRequest): { name: string | undefined; password: string | undefined } {
  const { name, password } = checkFields({ name: 100, password: 1000 }, body)
  return { name: typeof name === 'string' ? name : undefined, password: typeof password === 'string' ? password : undefined }
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  if (typeof token !== 'string' || token.length > 100) throw problem('invitation_not_found')
  return token
}

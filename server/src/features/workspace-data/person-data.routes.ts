import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { checkFields } from '../people/check-fields.ts'
import { cookiePrefix } from '../people/cookies/session-cookie.ts'
import { confirmIdentity } from '../people/passwords/confirm-identity.ts'
import { erasePerson } from './erase-person.ts'

const passwordMax = 1000

/** Erasing one's own account. Only a session can do it: an API key must not be able to delete the person who made it. */
export function personDataRoutes(app: FastifyInstance, ctx: Context): void {
  app.post('/auth/erase-account', async (request, reply) => {
    guardOrigin(ctx.config, request)
    const { password = null } = checkFields({ password: passwordMax }, request.body) as { password?: string }
    const { personId } = await confirmIdentity(ctx, request, { password, purpose: 'erasing the account' })
    await erasePerson(ctx, { personId, traceId: request.id })
    const ended = `${cookiePrefix(ctx.config)}.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`
    return reply
      .header('set-cookie', ctx.config.publicUrl.startsWith('https:') ? `${ended}; Secure` : ended)
      .send({ success: true, data: null })
  })
}

import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { problem } from '../../infra/problem/problem.ts'
import { describeRequest } from '../people/account-request.ts'
import { checkFields } from '../people/check-fields.ts'
import { findSessionHolder } from '../people/find-session-holder.ts'
import { cookiePrefix, sessionCookie } from '../people/cookies/session-cookie.ts'
import { verifyCookie } from '../people/cookies/signed-cookie.ts'
import { clearAttempts, throttleAttempt } from '../people/attempts/throttle-attempt.ts'
import { erasePerson } from './erase-person.ts'

const passwordMax = 1000
/** The same limit as for changing the password, counted together with it. */
const throttle = { name: 'password', max: 10, windowMs: 15 * 60_000 }

/** Erasing one's own account. Only a session can do it: an API key must not be able to delete the person who made it. */
export function personDataRoutes(app: FastifyInstance, ctx: Context): void {
  app.post('/auth/erase-account', async (request, reply) => {
    guardOrigin(ctx.config, request)
    const { password = null } = checkFields({ password: passwordMax }, request.body) as { password?: string }
    const cookie = sessionCookie(ctx.config, request.headers.cookie)
    const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
    const sessionToken = cookie === null ? null : verifyCookie(ctx.config, 'session_token', cookie)
    if (cookie === null || !holder || sessionToken === null) throw problem('session_ended')
    await throttleAttempt(ctx, throttle, cookie)
    await erasePerson(ctx, { personId: holder.personId, sessionToken, password, request: describeRequest(request) })
    await clearAttempts(ctx, throttle, cookie)
    const ended = `${cookiePrefix(ctx.config)}.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`
    return reply
      .header('set-cookie', ctx.config.publicUrl.startsWith('https:') ? `${ended}; Secure` : ended)
      .send({ success: true, data: null })
  })
}

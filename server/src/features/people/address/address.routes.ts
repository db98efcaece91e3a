import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { sendPage } from '../../../infra/http/send-page.ts'
import { checkFields } from '../check-fields.ts'
import { knownDeviceCookie } from '../cookies/known-device.ts'
import { findSignedIn } from '../passwords/confirm-identity.ts'
import { signInPath } from '../auth-paths.ts'
import { confirmNewAddress, requestAddressChange } from './change-address.ts'

const emailMax = 254
const passwordMax = 1000
const tokenMax = 500
const linkEnded = 'This link has expired, was used before, or was made for another account. Please request a new one.'

/** Changing one's own address: asking for a link, and the page behind the link. */
export function addressRoutes(scope: FastifyInstance, ctx: Context): void {
  scope.post('/change-address', async (request) => {
    const fields = checkFields({ email: emailMax, password: passwordMax }, request.body) as { email?: string; password?: string }
    await requestAddressChange(ctx, request, { email: fields.email ?? '', password: fields.password ?? null })
    return { success: true, data: null }
  })
  scope.get('/address', async (request, reply) => {
    if (!(await findSignedIn(ctx, request))) return reply.redirect(signInPath(request.url), 303)
    const action = `/auth/address?token=${encodeURIComponent(tokenOf(request))}`
    return sendPage(reply, {
      title: 'Confirm your new address',
      paragraphs: ['Your account gets the address to which this link was mailed.'],
      button: { label: 'Confirm', action },
    })
  })
  scope.post('/address', async (request, reply) => {
    // The web app sends the token in the body and reads JSON.
    const sent = checkFields({ token: tokenMax }, request.body)['token'] as string | undefined
    const email = await confirmNewAddress(ctx, request, sent ?? tokenOf(request))
    if (email !== null) void reply.header('set-cookie', knownDeviceCookie(ctx.config, request.headers.cookie, email))
    if (sent !== undefined)
      return email === null
        ? reply.status(400).send({ code: 'INVALID_TOKEN', message: linkEnded })
        : reply.send({ success: true, data: { email } })
    if (email === null) return sendPage(reply, { title: 'Not changed', paragraphs: [linkEnded] }, 400)
    return sendPage(reply, {
      title: 'Address changed',
      paragraphs: [`Sign in with ${email} from now on. All other sessions have been signed out.`],
    })
  })
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' && token.length <= tokenMax ? token : ''
}

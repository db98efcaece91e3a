import { isAPIError } from 'better-auth/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../infra/http/send-page.ts'
import { withRequest } from './account-request.ts'
import type { AuthInstances } from './create-auth-instances.ts'
import { passwordLengthMin } from './passwords/hash-password.ts'

/** The pages that mailed links open. Opening one changes nothing until its button is pressed, because mail scanners open links too. */
export function addAccountPages(scope: FastifyInstance, instances: AuthInstances): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 8192 },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text.toString()))),
  )
  scope.get('/verify', (request, reply) =>
    sendPage(reply, {
      title: 'Confirm your address',
      paragraphs: [`If you signed up for ${reply.server.operator.name} with this address, please confirm it.`],
      button: { label: 'Confirm', action: actionUrl(request) },
    }),
  )
  scope.post('/verify', async (request, reply) => {
    const sent = bodyToken(request)
    const token = sent ?? tokenOf(request)
    const failure = await findFailure(instances.current().api.verifyEmail({ query: { token } }))
    // The web app sends the token in the body and reads JSON.
    if (sent !== null) return answerVerified(reply, token, failure)
    if (failure) return sendPage(reply, { title: 'Not confirmed', paragraphs: [linkEnded] }, 400)
    return sendPage(reply, { title: 'Confirmed', paragraphs: ['Your address is confirmed. You can sign in now.'] })
  })
  scope.get('/password', (request, reply) => sendPasswordForm(request, reply, []))
  scope.post('/password', async (request, reply) => {
    const { password } = (request.body ?? {}) as { password?: unknown }
    const newPassword = typeof password === 'string' ? password : ''
    const reset = withRequest(request, () =>
      instances.current().api.resetPassword({ body: { newPassword, token: tokenOf(request) } }),
    )
    const failure = await findFailure(reset)
    if (failure?.isPasswordRejected) return sendPasswordForm(request, reply, [failure.message], 400)
    if (failure) return sendPage(reply, { title: 'Not changed', paragraphs: [linkEnded] }, 400)
    return sendPage(reply, {
      title: 'Password set',
      paragraphs: ['You can sign in with your new password now. All other sessions have been signed out.'],
    })
  })
  scope.get('/error', (request, reply) => {
    const { error } = request.query as { error?: unknown }
    const reason = (typeof error === 'string' && reasons.get(error)) || 'Signing in did not work. Please try again.'
    return sendPage(reply, { title: 'Not signed in', paragraphs: [reason] }, 400)
  })
}

const linkEnded = 'This link has expired or was used before. Please request a new one.'

/** Why signing in with the identity provider failed, by better-auth's error code. */
const reasons: ReadonlyMap<string, string> = new Map([
  [
    'account_not_linked',
    'An account with this address already exists. Sign in the way you did before, then link the two in your settings.',
  ],
  ['email_not_verified', 'The identity provider has not verified your e-mail address, so it cannot be used to sign in.'],
  ['signup_disabled', 'New accounts need an invitation here. Ask a member of a workspace to invite you.'],
  ['access_denied', 'The identity provider refused the sign-in, or you cancelled it.'],
])

function sendPasswordForm(
  request: FastifyRequest,
  reply: FastifyReply,
  paragraphs: readonly string[],
  status = 200,
): FastifyReply {
  const field = {
    name: 'password',
    label: `New password, at least ${passwordLengthMin} characters`,
    type: 'password',
    autocomplete: 'new-password',
    minLength: passwordLengthMin,
  } as const
  const button = { label: 'Set password', action: actionUrl(request), fields: [field] }
  return sendPage(reply, { title: 'Choose a password', paragraphs, button }, status)
}

type Failure = { code: string; message: string; isPasswordRejected: boolean }

/** Why better-auth refused, or null. After a rejected password, another one can be tried with the same link. */
async function findFailure(work: Promise<unknown>): Promise<Failure | null> {
  try {
    await work
    return null
  } catch (error) {
    if (!isAPIError(error)) throw error
    const { code = '', message = '' } = error.body ?? {}
    return { code, message, isPasswordRejected: code.startsWith('PASSWORD_') }
  }
}

function bodyToken({ body }: FastifyRequest): string | null {
  const { token } = (body ?? {}) as { token?: unknown }
  return typeof token === 'string' && token.length <= 1000 ? token : null
}

/** The address is part of the token, which better-auth has just accepted. */
function answerVerified(reply: FastifyReply, token: string, failure: Failure | null): FastifyReply {
  if (failure) return reply.status(400).send({ code: failure.code || 'INVALID_TOKEN', message: failure.message || linkEnded })
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')
  const { email } = payload as { email?: unknown }
  return reply.send({ success: true, data: { email: typeof email === 'string' ? email : '' } })
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' && token.length <= 1000 ? token : ''
}

function actionUrl(request: FastifyRequest): string {
  return `${request.url.split('?')[0]}?token=${encodeURIComponent(tokenOf(request))}`
}

import { isAPIError } from 'better-auth/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../infra/http/send-page.ts'
import type { AuthInstances } from './create-auth-instances.ts'
import { passwordLengthMin } from './is-common-password.ts'

/** Where mailed links lead. Opening one shows a page and changes nothing: programs that read mail open links too. */
export function addAccountPages(scope: FastifyInstance, accounts: AuthInstances): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 8192 },
    (_request, text, read) => read(null, Object.fromEntries(new URLSearchParams(text.toString()))),
  )
  scope.get('/verify', (request, reply) =>
    sendPage(reply, {
      title: 'Confirm your address',
      paragraphs: ['If you signed up for Carillon with this address, confirm it.'],
      button: { label: 'Confirm', action: here(request) },
    }),
  )
  scope.post('/verify', async (request, reply) => {
    const failure = await failureOf(accounts.auth().api.verifyEmail({ query: { token: tokenOf(request) } }))
    if (failure) return sendPage(reply, { title: 'Not confirmed', paragraphs: [ended] }, 400)
    return sendPage(reply, { title: 'Confirmed', paragraphs: ['The address is yours. You can sign in now.'] })
  })
  scope.get('/password', (request, reply) => askPassword(request, reply, []))
  scope.post('/password', async (request, reply) => {
    const { password } = (request.body ?? {}) as { password?: unknown }
    const newPassword = typeof password === 'string' ? password : ''
    const reset = accounts.auth().api.resetPassword({ body: { newPassword, token: tokenOf(request) } })
    const failure = await failureOf(reset)
    if (failure?.isChoice) return askPassword(request, reply, [failure.message], 400)
    if (failure) return sendPage(reply, { title: 'Not changed', paragraphs: [ended] }, 400)
    return sendPage(reply, { title: 'Password set', paragraphs: ['You can sign in with it now. Other sessions have ended.'] })
  })
  scope.get('/error', (request, reply) => {
    const { error } = request.query as { error?: unknown }
    const reason = (typeof error === 'string' && reasons[error]) || 'Signing in did not work; start again.'
    return sendPage(reply, { title: 'Not signed in', paragraphs: [reason] }, 400)
  })
}

const ended = 'This link has run out or was used before; ask for another one.'

/** Why signing in at the identity provider led nowhere. */
const reasons: Readonly<Record<string, string>> = {
  account_not_linked:
    'There is an account with this address already. Sign in the way you did before, and connect the two in the settings.',
  email_not_verified: 'The identity provider has not checked that this address is yours, so it cannot be used to sign in.',
  signup_disabled: 'AuthInstances are made by invitation here; ask somebody who has one.',
  access_denied: 'The identity provider did not let you in, or you said no.',
}

function askPassword(request: FastifyRequest, reply: FastifyReply, paragraphs: readonly string[], status = 200): FastifyReply {
  const field = {
    name: 'password',
    label: `New password, at least ${passwordLengthMin} characters`,
    type: 'password',
    autocomplete: 'new-password',
    minLength: passwordLengthMin,
  } as const
  const button = { label: 'Set password', action: here(request), field }
  return sendPage(reply, { title: 'Choose a password', paragraphs, button }, status)
}

type Failure = { message: string; isChoice: boolean }

/** What better-auth refused, or null. A bad choice of password can be made again with the same link. */
async function failureOf(work: Promise<unknown>): Promise<Failure | null> {
  try {
    await work
    return null
  } catch (error) {
    if (!isAPIError(error)) throw error
    const { code = '', message = '' } = error.body ?? {}
    return { message, isChoice: code.startsWith('PASSWORD_') }
  }
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' && token.length <= 1000 ? token : ''
}

function here(request: FastifyRequest): string {
  return `${request.url.split('?')[0]}?token=${encodeURIComponent(tokenOf(request))}`
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { localPath, withParameters } from '../../infra/http/local-path.ts'
import { sendPage, type Page } from '../../infra/http/send-page.ts'
import { Problem } from '../../infra/problem/problem.ts'

/** Sends a request to one of the paths in auth-paths.ts. */
type RequestAuth = (path: string, request: FastifyRequest, body: Record<string, unknown>) => Promise<Response>

/** Signing in without a script, for a person whom another page sent here. Passkeys need a script, so only the web app offers them. */
export function addSignInPages(scope: FastifyInstance, ctx: Context, requestAuth: RequestAuth): void {
  const { oidc } = ctx.config
  scope.get('/sign-in', (request, reply) => sendPage(reply, passwordPage(ctx, request)))
  scope.post('/sign-in', async (request, reply) => {
    const { email, password } = readForm(request)
    const step = await takeStep(reply, requestAuth('/sign-in/email', request, { email, password }))
    if (step.failure !== null) return sendPage(reply, passwordPage(ctx, request, step.failure), 400)
    return step.needsCode ? sendPage(reply, codePage(request)) : goBack(request, reply)
  })
  scope.post('/sign-in/code', async (request, reply) => {
    const { code = '' } = readForm(request)
    const path = /^\d{6}$/.test(code.trim()) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
    const step = await takeStep(reply, requestAuth(path, request, { code: code.trim() }))
    return step.failure === null ? goBack(request, reply) : sendPage(reply, codePage(request, step.failure), 400)
  })
  if (!oidc) return
  // A form cannot lead to another site, because of the page's content security policy, so this is a link.
  scope.get('/sign-in/oidc', async (request, reply) => {
    request.headers.origin = new URL(ctx.config.publicUrl).origin
    const body = { provider: 'oidc', callbackURL: returnToOf(request), errorCallbackURL: '/auth/error' }
    const response = await requestAuth('/sign-in/social', request, body)
    copyCookies(response, reply)
    const { url } = (await response.json()) as { url?: string }
    return url === undefined ? goBack(request, reply) : reply.redirect(url, 303)
  })
}

type Step = { failure: string | null; needsCode: boolean }

async function takeStep(reply: FastifyReply, pending: Promise<Response>): Promise<Step> {
  try {
    const response = await pending
    copyCookies(response, reply)
    const answer = (await response.json()) as { message?: string; twoFactorRedirect?: boolean }
    if (response.ok) return { failure: null, needsCode: answer.twoFactorRedirect === true }
    return { failure: answer.message ?? 'Signing in did not work. Please try again.', needsCode: false }
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return { failure: error.message, needsCode: false }
    throw error
  }
}

function copyCookies(response: Response, reply: FastifyReply): void {
  for (const cookie of response.headers.getSetCookie()) void reply.header('set-cookie', cookie)
}

function passwordPage({ config: { oidc } }: Context, request: FastifyRequest, failure?: string): Page {
  return {
    title: 'Sign in',
    paragraphs: failure === undefined ? [] : [failure],
    button: {
      label: 'Sign in',
      action: withReturnTo('/auth/sign-in', request),
      fields: [
        { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
        { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
      ],
    },
    ...(oidc && { link: { label: oidc.name, href: withReturnTo('/auth/sign-in/oidc', request) } }),
  }
}

function codePage(request: FastifyRequest, failure?: string): Page {
  return {
    title: 'Enter your code',
    paragraphs: [failure ?? 'Your account has a second factor.'],
    button: {
      label: 'Sign in',
      action: withReturnTo('/auth/sign-in/code', request),
      fields: [{ name: 'code', label: 'Code from your app, or a backup code', type: 'text', autocomplete: 'one-time-code' }],
    },
  }
}

function goBack(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(returnToOf(request), 303)
}

function withReturnTo(path: string, request: FastifyRequest): string {
  return withParameters(path, { returnTo: returnToOf(request) })
}

/** The request of a program that asks for access is long. */
const returnToMax = 4000

/** Only a path on this host: signing in must not redirect people to another site. */
function returnToOf(request: FastifyRequest): string {
  const { returnTo } = request.query as { returnTo?: unknown }
  return (typeof returnTo === 'string' && returnTo.length <= returnToMax ? localPath(returnTo) : null) ?? '/'
}

/** `addAccountPages` has added the parser of forms. */
function readForm(request: FastifyRequest): Record<string, string> {
  const body: unknown = request.body
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { rateLimitHeaders, createRateLimiter } from '../../infra/http/create-rate-limiter.ts'
import { problem } from '../../infra/problem/problem.ts'
import { addAccountPages } from './add-account-pages.ts'
import { authPaths, type AuthPath } from './auth-paths.ts'
import { checkFields } from './check-fields.ts'
import { addressHeader } from './create-auth.ts'
import { createAuthInstances, type AuthInstances } from './create-auth-instances.ts'
import { sessionCookie } from './session-cookie.ts'
import { throttleAttempt, clearAttempts } from './throttle-attempt.ts'

const changesPerMinute = 60
const bodyBytesMax = 64 * 1024

/** Signing up, in and out, at `/auth`. Only the paths and fields listed in auth-paths.ts are forwarded to better-auth. */
export function accountRoutes(app: FastifyInstance, ctx: Context): void {
  const instances = createAuthInstances(ctx)
  void app.register(
    (scope, _options, done) => {
      limitChanges(scope, ctx)
      scope.get('/methods', () => ({ success: true, data: signInMethods(ctx) }))
      for (const path of authPaths) {
        scope.route({
          method: path.method,
          url: path.path,
          bodyLimit: bodyBytesMax,
          handler: (request, reply) => forward(ctx, instances, { path, request, reply }),
        })
      }
      addAccountPages(scope, instances)
      done()
    },
    { prefix: '/auth' },
  )
}

/** The sign-in methods that a sign-in page can offer. */
function signInMethods({ config: { signUp, oidc } }: Context) {
  return { password: true, passkey: true, signUp: signUp === 'open', oidc: oidc && { provider: 'oidc', name: oidc.name } }
}

/** Requests that change something must come from our own pages, and their number per IP address is limited. */
function limitChanges(scope: FastifyInstance, ctx: Context): void {
  const byAddress = createRateLimiter('auth', changesPerMinute)
  scope.addHook('onRequest', async (request, reply) => {
    guardOrigin(ctx.config, request)
    if (request.method === 'GET') return
    const allowance = byAddress(request.ip, ctx.nowMs())
    void reply.headers(rateLimitHeaders(allowance))
    if (allowance.exceeded) throw problem('rate_limited', { retryAfterSeconds: allowance.resetSeconds })
  })
}

type ForwardedRequest = { path: AuthPath; request: FastifyRequest; reply: FastifyReply }

async function forward(
  ctx: Context,
  instances: AuthInstances,
  { path, request, reply }: ForwardedRequest,
): Promise<FastifyReply> {
  const { fields, throttle, needsOidc } = path
  const body = fields ? checkFields(fields, request.body) : undefined
  const auth = needsOidc ? await instances.withOidc() : instances.current()
  const subject = throttle && throttleSubject(ctx, throttle.by, { request, body })
  if (throttle && subject) await throttleAttempt(ctx, throttle, subject)

  const response = await auth.handler(toWebRequest(ctx, request, body))
  if (response.status >= 500) throw problem('internal_error', { cause: new Error(await response.text()) })
  // A mail that was sent stays counted; a correct password resets the count.
  if (response.ok && throttle && subject && throttle.name !== 'mail') await clearAttempts(ctx, throttle, subject)
  return sendResponse(response, reply)
}

/** What attempts are counted by: the e-mail address in the body, or the session. */
function throttleSubject(
  ctx: Context,
  by: 'email' | 'session',
  { request, body }: { request: FastifyRequest; body: Record<string, unknown> | undefined },
): string | null {
  if (by === 'session') return sessionCookie(ctx.config, request.headers.cookie)
  const email = body?.['email']
  return typeof email === 'string' ? email : null
}

const forwardedHeaders = [
  'cookie',
  'origin',
  'user-agent',
  'accept',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
] as const

/** Built from checked values only: headers that claim another host or IP address are not forwarded. */
function toWebRequest(ctx: Context, request: FastifyRequest, body: Record<string, unknown> | undefined): Request {
  const headers = new Headers({ [addressHeader]: request.ip })
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  if (body) headers.set('content-type', 'application/json')
  const url = new URL(request.url, ctx.config.publicUrl)
  return new Request(url, { method: request.method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  void reply.status(response.status)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of response.headers.getSetCookie()) void reply.header('set-cookie', cookie)
  return reply.send(await response.text())
}

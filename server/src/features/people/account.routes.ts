import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clientNetwork } from '../../infra/rate-limit/client-network.ts'
import { createRateLimiter, refuseExceeded } from '../../infra/rate-limit/create-rate-limiter.ts'
import { listAccountEntries } from '../audit/audit.store.ts'
import { withRequest } from './account-request.ts'
import { addAccountPages } from './add-account-pages.ts'
import { addSignInPages } from './add-sign-in-pages.ts'
import { addressRoutes } from './address/address.routes.ts'
import { findRecordedPerson, recordAttempt } from './attempts/record-attempt.ts'
import { clearAttempts, throttleAttempt } from './attempts/throttle-attempt.ts'
import { throttleMail } from './attempts/throttle-mail.ts'
import { throttlePassword } from './attempts/throttle-password.ts'
import { throttleSignIn } from './attempts/throttle-sign-in.ts'
import { type AuthPath, authPaths } from './auth-paths.ts'
import { checkFields } from './check-fields.ts'
import { claimCode, findCodeOwner } from './claim-code.ts'
import { findDevice, knownDeviceCookie } from './cookies/known-device.ts'
import { bindCookies, sessionCookie, unbindCookies, verifyCookie } from './cookies/session-cookie.ts'
import { type AuthInstances, authInstances } from './create-auth-instances.ts'
import { addressHeader } from './create-auth.ts'
import { findSessionHolder } from './find-session-holder.ts'
import { confirmIdentity } from './passwords/confirm-identity.ts'
import { deleteVerifications } from './person.store.ts'
import { canAnyoneSignIn } from './session.store.ts'
import { needsSetupCode } from './setup-code.ts'

const changesPerMinute = 60
const changesOfNetworkPerMinute = 600
const bodyBytesMax = 64 * 1024
/** Counted before the code is compared. better-auth counts afterwards, so codes that are sent together would all be compared. */
const codeLimit = { name: 'code', max: 10, windowMs: 15 * 60_000 }

/** Signing up, in and out, at `/auth`. Only the paths and fields listed in auth-paths.ts are forwarded to better-auth. */
export function accountRoutes(app: FastifyInstance, ctx: Context): void {
  const instances = authInstances(ctx)
  void app.register(
    (scope, _options, done) => {
      limitChanges(scope, ctx)
      scope.get('/methods', async (request) => ({ success: true, data: await signInMethods(ctx, request) }))
      scope.get('/activity', async (request) => ({ success: true, data: await listActivity(ctx, request) }))
      for (const path of authPaths) {
        scope.route({
          method: path.method,
          url: path.path,
          bodyLimit: bodyBytesMax,
          handler: (request, reply) => forward(ctx, instances, { path, request, reply }),
        })
      }
      addAccountPages(scope, instances)
      addressRoutes(scope, ctx)
      addSignInPages(scope, ctx, (name, request, body) => {
        const path = authPaths.find((each) => each.path === name)
        if (!path) throw new Error(`${name} is not served`)
        return requestAuth(ctx, instances, { path, request, body })
      })
      done()
    },
    { prefix: '/auth' },
  )
}

/** The sign-in methods that a sign-in page can offer. */
async function signInMethods({ config, db }: Context, request: FastifyRequest) {
  const { signUp, oidc, mail } = config
  const firstRun = !(await canAnyoneSignIn(db.system))
  return {
    password: true,
    passkey: true,
    signUp: signUp === 'open',
    oidc: oidc && { provider: 'oidc', name: oidc.name },
    firstRun,
    setupCode: firstRun && needsSetupCode(config, request),
    mail: mail !== null,
  }
}

/**
 * Requests that change something must come from our own pages, and their number is limited: by person or known device, and otherwise by
 * network. Signed-in people are therefore not affected by what strangers in their network send. All that a network sends is limited too,
 * because accounts and devices can be collected.
 */
function limitChanges(scope: FastifyInstance, ctx: Context): void {
  const byCaller = createRateLimiter(ctx, 'auth', changesPerMinute)
  const byNetwork = createRateLimiter(ctx, 'auth-network', changesOfNetworkPerMinute)
  scope.addHook('onRequest', async (request) => {
    guardOrigin(ctx.config, request)
    if (request.method === 'GET') return
    request.rateLimit = await byCaller.count(await changeSubject(ctx, request))
    refuseExceeded(request.rateLimit)
    const ofNetwork = await byNetwork.count(clientNetwork(request.ip))
    if (ofNetwork.exceeded) request.rateLimit = ofNetwork
    refuseExceeded(ofNetwork)
  })
}

async function changeSubject(ctx: Context, { headers: { cookie }, ip }: FastifyRequest): Promise<string> {
  const sent = sessionCookie(ctx.config, cookie)
  const holder = sent === null ? undefined : await findSessionHolder(ctx, sent, null)
  if (holder) return `person ${holder.personId}`
  const device = findDevice(ctx.config, cookie)
  return device === null ? clientNetwork(ip) : `device ${device}`
}

type ForwardedRequest = { path: AuthPath; request: FastifyRequest; reply: FastifyReply }

async function forward(
  ctx: Context,
  instances: AuthInstances,
  { path, request, reply }: ForwardedRequest,
): Promise<FastifyReply> {
  return sendResponse(await requestAuth(ctx, instances, { path, request, body: request.body }), reply)
}

type AuthRequest = { path: AuthPath; request: FastifyRequest; body: unknown }

/** Sends a request to better-auth: as it came, or one that a page makes of its form. */
async function requestAuth(
  ctx: Context,
  instances: AuthInstances,
  { path, request, body: given }: AuthRequest,
): Promise<Response> {
  const { fields, throttle, needsOidc } = path
  // Before anything is looked up or counted, so that the answer is the same for every address.
  if (path.path === '/sign-up/email' && ctx.config.signUp === 'closed') throw problem('sign_up_closed')
  const sent = fields ? checkFields(fields, given) : undefined
  const body = path.confirms === undefined ? sent : await confirmChange(ctx, request, { body: sent, purpose: path.confirms })
  const auth = needsOidc ? await instances.withOidc() : instances.current()
  const email = typeof body?.['email'] === 'string' ? body['email'] : ''
  const codeOwner = throttle === 'code' ? await findCodeOwner(ctx, auth, request) : null
  const reset = await throttleForward(ctx, { throttle, request, email, codeOwner })

  const personId = await findRecordedPerson(ctx, path.path, request)
  const code = path.path === '/two-factor/verify-totp' ? String(body?.['code']) : null
  const isUsed = code !== null && codeOwner !== null && !(await claimCode(ctx, codeOwner, code))
  const answer = isUsed ? usedCode() : await withRequest(request, () => auth.handler(toWebRequest(ctx, { path, request, body })))
  const response = bindCookies(ctx.config, answer)
  if (response.status >= 500) throw problem('internal_error', { cause: new Error(await response.text()) })
  await recordAttempt(ctx, { path: path.path, request, body, personId, response, auth })
  if (!response.ok) return response
  await reset()
  if (path.path === '/change-password' && personId !== null) await deleteVerifications(ctx.db.system, personId)
  return throttle === 'sign-in' ? withCookie(response, knownDeviceCookie(ctx.config, request.headers.cookie, email)) : response
}

/** Refuses a request of whoever is not known to be the person themselves, and gives its body without the password. */
async function confirmChange(
  ctx: Context,
  request: FastifyRequest,
  { body, purpose }: { body: Record<string, unknown> | undefined; purpose: string },
): Promise<Record<string, unknown>> {
  const { password, ...rest } = body ?? {}
  await confirmIdentity(ctx, request, { password: typeof password === 'string' ? password : null, purpose })
  return rest
}

/** As better-auth answers a wrong code. */
function usedCode(): Response {
  const message = 'This code was used before. Wait until your app shows the next one.'
  return Response.json({ code: 'INVALID_CODE', message }, { status: 401 })
}

function withCookie(response: Response, cookie: string): Response {
  const copy = new Response(response.body, response)
  copy.headers.append('set-cookie', cookie)
  return copy
}

type Attempt = { throttle: AuthPath['throttle']; request: FastifyRequest; email: string; codeOwner: string | null }

/** Counts the attempt, and returns how to reset the count when it succeeds. */
async function throttleForward(ctx: Context, { throttle, request, email, codeOwner }: Attempt): Promise<() => Promise<void>> {
  const keep = async () => {}
  if (throttle === undefined) return keep
  if (throttle === 'sign-in') return throttleSignIn(ctx, request, email)
  // A mail that was sent stays counted; a correct password resets the count.
  if (throttle === 'mail') return throttleMail(ctx, { email, ip: request.ip }).then(() => keep)
  if (throttle === 'password') {
    const token = sessionTokenOf(ctx, request)
    return token === null ? keep : throttlePassword(ctx, request, token)
  }
  if (codeOwner === null) return keep
  await throttleAttempt(ctx, codeLimit, codeOwner)
  return () => clearAttempts(ctx, codeLimit, codeOwner)
}

/** Read from the cookie, and not the cookie as it was sent: that one can be written in many ways. */
function sessionTokenOf(ctx: Context, { headers }: FastifyRequest): string | null {
  const cookie = sessionCookie(ctx.config, headers.cookie)
  return cookie === null ? null : verifyCookie(ctx.config, 'session_token', cookie)
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
function toWebRequest(
  ctx: Context,
  { path, request, body }: { path: AuthPath; request: FastifyRequest; body: Record<string, unknown> | undefined },
): Request {
  const headers = new Headers({ [addressHeader]: request.ip })
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, name === 'cookie' ? unbindCookies(ctx.config, value) : value)
  }
  const method = path.forwardedAs ?? path.method
  const sent = method === 'GET' ? undefined : body
  if (sent) headers.set('content-type', 'application/json')
  const url = new URL(`/auth${path.path}`, ctx.config.publicUrl)
  if (path.method === 'GET') url.search = new URL(request.url, ctx.config.publicUrl).search
  return new Request(url, { method, headers, ...(sent && { body: JSON.stringify(sent) }) })
}

async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  void reply.status(response.status)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of response.headers.getSetCookie()) void reply.header('set-cookie', cookie)
  return reply.send(await response.text())
}

const entriesMax = 100

/** The newest entries in the audit log of the person who is signed in. */
async function listActivity(ctx: Context, request: FastifyRequest) {
  const cookie = sessionCookie(ctx.config, request.headers.cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  if (!holder) throw problem('session_ended')
  const rows = await listAccountEntries(ctx.db.system, holder.personId, entriesMax)
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    detail: row.detail,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    traceId: row.trace_id,
  }))
}

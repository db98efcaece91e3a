import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { withParameters } from '../../infra/http/local-path.ts'
import { throttleAttempt } from '../people/attempts/throttle-attempt.ts'
import { signInPath } from '../people/auth-paths.ts'
import { sessionCookie } from '../people/cookies/session-cookie.ts'
import { findPerson } from '../people/find-person.ts'
import { findSessionHolder } from '../people/find-session-holder.ts'
import { listWorkspacesOf } from '../workspaces/workspace.store.ts'
import { denyDevice, findDeviceByUserCode, takeDevice } from './client.store.ts'
import { codeForm, sendConsentPage, sendNote, wordsFor } from './consent-page.ts'
import { type Client, findClient } from './find-client.ts'
import { grantAccess } from './grant-access.ts'
import { OauthError } from './oauth-error.ts'
import { type Query, readAuthorization, readRedirect, stateOf } from './read-authorization.ts'
import { type Form, addFormParser } from './read-form.ts'
import { type Right, offeredRights, resourceNames, resourceUrl, rights, scopesOf } from './rights.ts'
import { newCode, secretHash } from './secret-hash.ts'
import { issuerOf } from './server-metadata.ts'
import { normaliseUserCode, userCodeHash } from './start-device.ts'

const codeMs = 60_000
const deviceCodeMs = 120_000
const decisionLimit = { name: 'decisions about programs', max: 60, windowMs: 15 * 60_000 }
const userCodeLimit = { name: 'codes of devices', max: 20, windowMs: 15 * 60_000 }

/** What people see when a program asks for access. Everything here needs a session, and a form of ours. */
export function consentRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    addFormParser(scope)
    scope.addHook('onRequest', async (request) => guardOrigin(ctx.config, request))
    scope.get('/oauth/authorize', (request, reply) => authorize(ctx, request, reply))
    scope.post('/oauth/authorize', (request, reply) => authorize(ctx, request, reply))
    scope.get('/device', (request, reply) => showDevice(ctx, request, reply))
    scope.post('/device', (request, reply) => showDevice(ctx, request, reply))
    scope.post('/device/decision', (request, reply) => decideDevice(ctx, request, reply))
    done()
  })
}

type Signed = { personId: string; email: string; workspaces: { id: string; name: string }[] }

async function findSigned(ctx: Context, { headers }: FastifyRequest): Promise<Signed | null> {
  const cookie = sessionCookie(ctx.config, headers.cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  if (!holder) return null
  const person = await findPerson(ctx.db.system, holder.personId)
  const workspaces = await listWorkspacesOf(ctx.db.system, holder.personId, { limit: 100 })
  return { personId: holder.personId, email: person?.email ?? '', workspaces: workspaces.map(({ id, name }) => ({ id, name })) }
}

async function authorize(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const signed = await findSigned(ctx, request)
  // Before anything is looked up: a stranger can make the server fetch nothing.
  if (!signed) return reply.redirect(signInPath(request.url), 303)
  const words = wordsFor(request)
  const query = request.query as Query
  const client = typeof query['client_id'] === 'string' ? await findClient(ctx, query['client_id'], signed.personId) : null
  const redirectUri = client && readRedirect(client, query)
  if (!client || !redirectUri)
    return sendNote(request, reply, { title: words.wrongRequestTitle, text: words.wrongClient, status: 400 })
  try {
    return await decide(ctx, { request, reply, signed, client, redirectUri, query })
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    const refusal = { error: error.code, error_description: error.message }
    return reply.redirect(answerUrl(ctx, redirectUri, { query, answer: refusal }), 303)
  }
}

type Asked = { request: FastifyRequest; reply: FastifyReply; signed: Signed; client: Client; redirectUri: string; query: Query }

async function decide(ctx: Context, { request, reply, signed, client, redirectUri, query }: Asked): Promise<FastifyReply> {
  const words = wordsFor(request)
  const { challenge, resource, scopes } = readAuthorization(ctx, query, redirectUri)
  const offered = offeredRights(resource, scopes)
  if (signed.workspaces.length === 0)
    return sendNote(request, reply, { title: words.title(client.name), text: words.noWorkspace })
  const page = { client, redirectUri, email: signed.email, workspaces: signed.workspaces, rights: offered, action: request.url }
  if (request.method !== 'POST') return sendConsentPage(request, reply, page)

  const form = request.body as Form
  if (form['decision'] !== 'allow') throw new OauthError('access_denied', 'The person did not allow it.')
  await throttleAttempt(ctx, decisionLimit, signed.personId)
  const chosen = readChoice(form, signed, offered)
  if (!chosen) return sendConsentPage(request, reply, { ...page, failure: words.choose }, 400)
  const code = newCode()
  await grantAccess(ctx, {
    workspaceId: chosen.workspaceId,
    personId: signed.personId,
    client: { id: client.id, name: client.name, host: client.host ?? new URL(redirectUri).host },
    resource,
    scopes: scopesOf(chosen.right, resource, scopes),
    code: { hash: secretHash(code), redirectUri, challenge, validMs: codeMs },
    traceId: request.id,
  })
  return reply.redirect(answerUrl(ctx, redirectUri, { query, answer: { code } }), 303)
}

/** `iss` tells a program that talks to several servers which of them answered (RFC 9207). */
function answerUrl(
  ctx: Context,
  redirectUri: string,
  { query, answer }: { query: Query; answer: Record<string, string> },
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  const state = stateOf(query)
  if (state !== null) url.searchParams.set('state', state)
  url.searchParams.set('iss', issuerOf(ctx.config))
  return url.href
}

function readChoice(form: Form, { workspaces }: Signed, offered: readonly Right[]): { workspaceId: string; right: Right } | null {
  const workspace = workspaces.find(({ id }) => id === form['workspace'])
  const right = rights.find((each) => each === form['right'] && offered.includes(each))
  return workspace && right ? { workspaceId: workspace.id, right } : null
}

/** Asks for the code of a device, or shows what the device with this code asks for. The code in an address is never taken as an answer. */
async function showDevice(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const signed = await findSigned(ctx, request)
  const { user_code: inAddress } = request.query as Query
  const form = (request.body ?? {}) as Form
  const given = form['user_code'] ?? (typeof inAddress === 'string' ? inAddress : null)
  if (!signed)
    return reply.redirect(signInPath(given === null ? '/device' : withParameters('/device', { user_code: given })), 303)
  const words = wordsFor(request)
  if (given === null) return sendNote(request, reply, { title: words.deviceTitle, text: words.deviceText, form: codeForm(words) })
  return showDeviceConsent(ctx, { request, reply, signed, userCode: given })
}

type Device = { request: FastifyRequest; reply: FastifyReply; signed: Signed; userCode: string; failure?: string }

async function showDeviceConsent(ctx: Context, { request, reply, signed, userCode, failure }: Device): Promise<FastifyReply> {
  const words = wordsFor(request)
  const device = await findWaiting(ctx, signed, userCode)
  if (!device)
    return sendNote(request, reply, { title: words.deviceTitle, text: words.codeWrong, form: codeForm(words), status: 404 })
  if (signed.workspaces.length === 0) return sendNote(request, reply, { title: words.deviceTitle, text: words.noWorkspace })
  const minutes = Math.floor((ctx.nowMs() - device.created_at.getTime()) / 60_000)
  const page = {
    client: { name: device.client_name, host: null, isBuiltIn: true },
    redirectUri: null,
    email: signed.email,
    workspaces: signed.workspaces,
    rights: offeredRights(resourceOf(ctx, device.resource), device.scopes),
    action: '/device/decision',
    hidden: { user_code: normaliseUserCode(userCode) },
    device: { userCode: normaliseUserCode(userCode), minutes },
    failure,
  }
  return sendConsentPage(request, reply, page, failure === undefined ? 200 : 400)
}

async function findWaiting(ctx: Context, { personId }: Signed, userCode: string) {
  await throttleAttempt(ctx, userCodeLimit, personId)
  return findDeviceByUserCode(ctx.db.system, userCodeHash(userCode), new Date(ctx.nowMs()))
}

async function decideDevice(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const signed = await findSigned(ctx, request)
  if (!signed) return reply.redirect(signInPath('/device'), 303)
  const words = wordsFor(request)
  const form = request.body as Form
  const userCode = form['user_code'] ?? ''
  const device = await findWaiting(ctx, signed, userCode)
  if (!device)
    return sendNote(request, reply, { title: words.deviceTitle, text: words.codeWrong, form: codeForm(words), status: 404 })
  if (form['decision'] !== 'allow') {
    await denyDevice(ctx.db.system, device.hash, new Date(ctx.nowMs()))
    return sendNote(request, reply, { title: words.deniedTitle, text: words.denied })
  }
  const resource = resourceOf(ctx, device.resource)
  const chosen = readChoice(form, signed, offeredRights(resource, device.scopes))
  if (!chosen) return showDeviceConsent(ctx, { request, reply, signed, userCode, failure: words.choose })
  // Of two people who answer at once, only one answers.
  if (!(await ctx.db.system.transaction().execute((tx) => takeDevice(tx, device.hash))))
    return sendNote(request, reply, { title: words.deviceTitle, text: words.codeWrong, status: 404 })
  await grantAccess(ctx, {
    workspaceId: chosen.workspaceId,
    personId: signed.personId,
    client: { id: device.client_id, name: device.client_name, host: null },
    resource,
    scopes: scopesOf(chosen.right, resource, device.scopes),
    code: { hash: device.hash, redirectUri: null, challenge: null, validMs: deviceCodeMs },
    traceId: request.id,
  })
  return sendNote(request, reply, { title: words.allowedTitle, text: words.allowed })
}

function resourceOf({ config: { publicUrl } }: Context, url: string) {
  return resourceNames.find((name) => resourceUrl(publicUrl, name) === url) ?? 'api'
}

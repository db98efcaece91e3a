import { connectLinks } from '@carillon/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { guardOrigin } from '../../../infra/http/guard-origin.ts'
import { withParameters } from '../../../infra/http/local-path.ts'
import { serve } from '../../../infra/http/serve.ts'
import { Problem } from '../../../infra/problem/problem.ts'
import { workspaceName } from '../../workspaces/workspace-name.ts'
import { ensureBrowser } from '../connect/connect-state.ts'
import { confirmSeconds } from '../connect/receive-callback.ts'
import { connectorOf } from '../connector-of.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import {
  type PageView,
  linkPath,
  sendCancelled,
  sendConfirmPage,
  sendConnected,
  sendFailed,
  sendLinkPage,
  sendOnwards,
  viewOf,
} from './link-pages.ts'
import { createConnectLink, listLinks, revokeLink } from './manage-links.ts'
import { guardLink } from './guard-link.ts'
import { type LinkAttempt, loadLinkAttempt, openLink, parameter } from './open-link.ts'
import { cancelByLink, confirmByLink, listChoices, returnAddress, startByLink } from './use-link.ts'

export function connectLinkRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, connectLinks.list, (call) => listLinks(call, call.query))
  serve(app, ctx, connectLinks.create, (call) => createConnectLink(call, call.body))
  serve(app, ctx, connectLinks.revoke, (call) => revokeLink(call, call.params.id))
}

/** Long enough for the way to the platform and for the confirmation. */
const browserSeconds = 2 * confirmSeconds

/**
 * The pages behind a connect link, without a script and without a sign-in. Opening the link changes nothing, because mail scanners open links
 * too. Only the button of the last page makes a connection (decision 27).
 */
export const connectLinkPages = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 32_768 },
      (_request, text, read) => read(null, Object.fromEntries(new URLSearchParams(text.toString()))),
    )
    scope.get(linkPath, (request, reply) => showPage(request, reply, (view) => showLink(ctx, { request, view, failure: null })))
    scope.post(linkPath, (request, reply) =>
      showPage(request, reply, async (view) => {
        guardOrigin(ctx.config, request)
        return start(ctx, request, reply, view)
      }),
    )
    scope.get(`${linkPath}/confirm`, (request, reply) =>
      showPage(request, reply, (view) => showAttempt(ctx, request, view, null)),
    )
    scope.post(`${linkPath}/confirm`, (request, reply) =>
      showPage(request, reply, async (view) => {
        guardOrigin(ctx.config, request)
        return decide(ctx, { request, view, hooks })
      }),
    )
    done()
  })
}

/** A refusal is a page too: whoever comes here has no program that reads JSON. */
async function showPage(
  request: FastifyRequest,
  reply: FastifyReply,
  show: (view: PageView) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const view = viewOf(request, reply)
  try {
    return await show(view)
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return sendFailed(view, { failure: error, again: null, backTo: null })
  }
}

type Shown = { request: FastifyRequest; view: PageView; failure: Problem | null }

async function showLink(ctx: Context, { request, view, failure }: Shown): Promise<FastifyReply> {
  const opened = await openLink(ctx, request)
  const connectors = opened.link.platforms.map((platform) => connectorOf(ctx, platform))
  return sendLinkPage(view, opened, { connectors, chosen: chosenOf(request, connectors), failure })
}

function chosenOf<C extends { manifest: { platform: string } }>(request: FastifyRequest, connectors: readonly C[]): C | null {
  const wanted = parameter(request, 'platform')
  const [only] = connectors
  if (connectors.length === 1 && only) return only
  return connectors.find(({ manifest }) => manifest.platform === wanted) ?? null
}

async function start(ctx: Context, request: FastifyRequest, reply: FastifyReply, view: PageView): Promise<FastifyReply> {
  const { link } = await openLink(ctx, request)
  const connector = chosenOf(
    request,
    link.platforms.map((platform) => connectorOf(ctx, platform)),
  )
  if (!connector) return showLink(ctx, { request, view, failure: null })
  const form = readForm(request)
  const server = form['instanceUrl']?.trim() ?? ''
  try {
    const begun = await startByLink(ctx, link, connector, {
      instanceUrl: server === '' ? undefined : server.slice(0, 500),
      fields: fieldsOf(form),
      browserHash: ensureBrowser(ctx.config, request, reply, browserSeconds),
      returnTo: withParameters(`${linkPath}/confirm`, { lang: view.language }),
      traceId: request.id,
    })
    if ('url' in begun) return sendOnwards(view, { url: begun.url, name: connector.manifest.name })
    const next = withParameters(`${linkPath}/confirm`, { attempt: begun.attemptId, lang: view.language })
    return await reply.redirect(next, 303)
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'connect_link_ended') throw error
    return showLink(ctx, { request, view, failure: withDetails(error) })
  }
}

/** What is wrong with single fields says more than the sentence of the code. */
function withDetails(error: Problem): Problem {
  const said = error.details?.map(({ message }) => message).join(' ')
  return said ? Object.assign(error, { message: said }) : error
}

function fieldsOf(form: Record<string, string>): Record<string, string> {
  const prefix = 'fields.'
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      name.startsWith(prefix) && value.length <= 500 && value.trim() !== '' ? [[name.slice(prefix.length), value.trim()]] : [],
    ),
  )
}

async function showAttempt(
  ctx: Context,
  request: FastifyRequest,
  view: PageView,
  failure: Problem | null,
): Promise<FastifyReply> {
  const attempt = await loadLinkAttempt(ctx, request)
  const { flow, link } = attempt
  const workspace = await workspaceName(ctx.db.system, flow.workspace_id)
  if (flow.state === 'connected') return sendConnected(view, { flow, workspace, backTo: await backAfter(ctx, attempt) })
  if (flow.state === 'failed') {
    const again = withParameters(linkPath, { attempt: flow.attempt_id ?? '' })
    const backTo = await returnAddress(ctx, link, { state: 'failed', connectionId: null })
    return sendFailed(view, { failure: flow.failure ?? { code: 'connect_refused', message: '' }, again, backTo })
  }
  const maker = await guardLink(ctx, ctx.db.system, link)
  const granted = flow.scopes_granted
  const missing = granted === null ? [] : flow.scopes_asked.filter((scope) => !granted.includes(scope))
  const shown = { flow, workspace, maker, platform: connectorOf(ctx, flow.platform).manifest.name }
  return sendConfirmPage(view, shown, { choices: await listChoices(ctx, attempt), missing, failure })
}

async function decide(
  ctx: Context,
  { request, view, hooks }: { request: FastifyRequest; view: PageView; hooks: ConnectionHooks },
): Promise<FastifyReply> {
  const attempt = await loadLinkAttempt(ctx, request)
  const { answer, targetId = null } = readForm(request)
  if (answer === 'cancel') {
    await cancelByLink(ctx, attempt)
    return sendCancelled(view, { backTo: await returnAddress(ctx, attempt.link, { state: 'cancelled', connectionId: null }) })
  }
  try {
    const { id } = await confirmByLink(ctx, { ...attempt, targetId, traceId: request.id, hooks })
    const workspace = await workspaceName(ctx.db.system, attempt.flow.workspace_id)
    const backTo = await returnAddress(ctx, attempt.link, { state: 'connected', connectionId: id })
    return sendConnected(view, { flow: attempt.flow, workspace, backTo })
  } catch (error) {
    if (error instanceof Problem && error.code === 'target_unknown') return showAttempt(ctx, request, view, error)
    throw error
  }
}

function backAfter(ctx: Context, { flow, link }: LinkAttempt): Promise<string | null> {
  return returnAddress(ctx, link, { state: 'connected', connectionId: flow.connected_id })
}

function readForm({ body }: FastifyRequest): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { withParameters } from '../../../infra/http/local-path.ts'
import { sendPage, wantsPage } from '../../../infra/http/send-page.ts'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import { findMembership } from '../../members/find-membership.ts'
import { signInPath } from '../../people/auth-paths.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { connectorOf } from '../connector-of.ts'
import { confirmConnect } from './confirm-connect.ts'
import { type LoadedAttempt, type PresentedAttempt, loadAttempt, presentAttempt } from './load-attempt.ts'

const pagePath = '/integrations/confirm'

export function confirmPathOf(attemptId: string): string {
  return withParameters(pagePath, { attempt: attemptId })
}

/** The last step of connecting an account: as JSON for the web app, and as a page that needs no script. */
export const attemptRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  app.get('/integrations/attempts/:id', async (request) => {
    const { flow } = await loadAttempt(ctx, request, idOf(request))
    return { success: true, data: await presentAttempt(ctx, flow) }
  })
  app.post('/integrations/attempts/:id/confirm', async (request) => {
    const loaded = await loadAttempt(ctx, request, idOf(request))
    return { success: true, data: await confirmConnect(ctx, { ...loaded, traceId: request.id, hooks }) }
  })
  void app.register((scope, _options, done) => {
    // The button sends an empty form; the attempt is in the address.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, read) => {
      payload.resume().on('end', () => read(null, undefined))
    })
    scope.get(pagePath, async (request, reply) => {
      try {
        const loaded = await loadAttempt(ctx, request, idOf(request))
        return await sendAttempt(ctx, reply, loaded, await presentAttempt(ctx, loaded.flow))
      } catch (error) {
        return answerProblem(request, reply, error)
      }
    })
    scope.post(pagePath, async (request, reply) => {
      try {
        const loaded = await loadAttempt(ctx, request, idOf(request))
        const { slug, handle } = await confirmConnect(ctx, { ...loaded, traceId: request.id, hooks })
        const { return_to: returnTo } = loaded.flow
        if (returnTo !== null) return await reply.redirect(withParameters(returnTo, { connected: slug }), 303)
        return sendPage(reply, { title: 'Connected', paragraphs: [`@${handle} is connected. You can close this page.`] })
      } catch (error) {
        return answerProblem(request, reply, error)
      }
    })
    done()
  })
}

async function sendAttempt(
  ctx: Context,
  reply: FastifyReply,
  { flow, personId }: LoadedAttempt,
  { state, account, workspace, missing, message }: PresentedAttempt,
): Promise<FastifyReply> {
  const { name } = connectorOf(ctx, flow.platform).manifest
  const server = flow.instance_url === null ? name : `${name} (${new URL(flow.instance_url).host})`
  const who = account ? `@${account.handle}${account.displayName === account.handle ? '' : ` (${account.displayName})`}` : ''
  if (state === 'failed') return sendPage(reply, { title: 'Not connected', paragraphs: [`${server}: ${message ?? ''}`] })
  if (state === 'connected')
    return sendPage(reply, { title: 'Connected', paragraphs: [`“${workspace.name}” can publish on ${server} as ${who}.`] })
  const person = await findMembership(ctx.db.system, flow.workspace_id, personId)
  return sendPage(reply, {
    title: `Connect ${who}?`,
    paragraphs: [
      `The members of the workspace “${workspace.name}” will be able to publish on ${server} as ${who}.`,
      ...(missing.length > 0 ? [`These permissions were not granted, so some posts may fail: ${missing.join(', ')}.`] : []),
      `You are signed in as ${person?.email ?? ''}. If you did not want to connect this account, close this page: nothing has been connected.`,
    ],
    button: { label: 'Connect', action: confirmPathOf(flow.attempt_id ?? '') },
  })
}

/** A person who is not signed in does that first, and comes back to the page. */
function answerProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof Problem) || !wantsPage(request)) throw error
  if (error.code === 'session_ended') return reply.redirect(signInPath(confirmPathOf(idOf(request))), 303)
  const paragraphs = [error.message, ...(error.code === 'attempt_not_found' ? [whoCanConfirm] : [])]
  return sendPage(reply, { title: 'Not connected', paragraphs }, error.status)
}

const whoCanConfirm =
  'An account is connected in the browser in which its owner agreed on the platform, by an admin of the workspace, within ten minutes.'

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id?: string }
  const { attempt } = request.query as { attempt?: unknown }
  const given = id ?? attempt
  if (typeof given !== 'string' || given.length > 100) throw problem('attempt_not_found')
  return given
}

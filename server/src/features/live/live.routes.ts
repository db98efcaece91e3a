import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findSessionHolder } from '../people/find-session-holder.ts'
import { sessionCookie, verifyCookie } from '../people/cookies/session-cookie.ts'
import { liveHub } from './live-hub.ts'
import { LiveStream } from './live-stream.ts'

/** The stream of changes for open pages. It is no endpoint of the contract, because its answer never ends. */
export function liveRoutes(app: FastifyInstance, ctx: Context): void {
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/workspaces/:id/live',
    exposeHeadRoute: false,
    handler: (request, reply) => openStream(ctx, request, reply),
  })
  // Streams would otherwise keep the server from closing.
  app.addHook('preClose', () => liveHub(ctx).close())
}

async function openStream(ctx: Context, request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply): Promise<void> {
  const hub = liveHub(ctx)
  const holder = await requireMember(ctx, request, request.params.id)
  if (hub.isClosed) throw problem('unavailable')
  if (hub.isFull(holder.personId))
    throw problem('rate_limited', { message: 'Too many pages of yours are open at the same time.' })
  await hub.start()

  const stream = new LiveStream(holder, reply.raw)
  hub.add(stream)
  reply.raw.once('close', () => hub.remove(stream))
  const { position } = hub
  const lastId = readLastId(request)
  try {
    const missed = lastId === null ? [] : await hub.findMissed(holder.workspaceId, lastId)
    reply.hijack()
    const isContinued = lastId !== null && missed !== null
    stream.begin(headersOf(reply), isContinued ? lastId : position, missed)
  } catch (error) {
    hub.remove(stream)
    throw error
  }
}

/** Only a session: a browser cannot send an API key with an EventSource, and programs have webhooks. */
async function requireMember(ctx: Context, { headers }: FastifyRequest, workspaceId: string) {
  const cookie = sessionCookie(ctx.config, headers.cookie)
  const token = cookie === null ? null : verifyCookie(ctx.config, 'session_token', cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, workspaceId)
  if (token === null || !holder) throw problem('session_ended')
  if (!holder.membership) throw problem('workspace_not_found')
  return { workspaceId, personId: holder.personId, token }
}

/** The position that the browser sends when it connects again. */
function readLastId({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : null
}

function headersOf(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])
  return {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would otherwise collect events before it passes them on.
    'x-accel-buffering': 'no',
  }
}

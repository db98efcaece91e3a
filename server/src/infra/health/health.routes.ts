import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { checkAccepting, checkLive, checkReady, findObstacle, type Health } from './check-health.ts'

/** The health checks on the public port of the API. Every role also has them on its private port. */
export function healthRoutes(app: FastifyInstance, ctx: Context): void {
  const answer = (reply: FastifyReply, { isHealthy, body }: Health) => reply.status(isHealthy ? 200 : 503).send(body)
  app.get('/health/live', (_request, reply) => answer(reply, checkLive()))
  app.get('/health/accepting', async (_request, reply) => answer(reply, await checkAccepting(ctx)))
  // For the web app. It tells less than `ready`, and a router forwards it to the cell of the workspace.
  app.get('/health/publishing', async () => ({ success: true, data: { obstacle: await findObstacle(ctx) } }))
  // For `carillon doctor`, which compares it with the settings: it tells callers only what they and their proxy sent.
  app.get('/health/request', ({ headers, ips, socket }) => ({
    isForwarded: headers['x-forwarded-for'] !== undefined,
    isProxyTrusted: (ips?.length ?? 0) > 1,
    peer: socket.remoteAddress,
  }))
  app.get('/health/ready', async (_request, reply) => answer(reply, await checkReady(ctx)))
}

import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { lastBeatAgeMs } from './heartbeat.store.ts'

/** Without a sign of life for this long, nothing that is due would go out. */
const aliveWithinMs = 30_000

/** `live`: this process answers. `ready`: a post accepted now would be published, because a worker proved within 30 s that it can. */
export function healthRoutes(app: FastifyInstance, ctx: Context): void {
  app.get('/health/live', () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const database = await lastBeatAgeMs(ctx.db.system).then(
      (ageMs) => ({ isUp: true, ageMs }),
      () => ({ isUp: false, ageMs: null }),
    )
    const isAlive = database.ageMs !== null && database.ageMs <= aliveWithinMs
    const status = {
      status: isAlive ? 'ready' : 'not_ready',
      database: database.isUp ? 'up' : 'down',
      workerSeenMsAgo: database.ageMs && Math.round(database.ageMs),
    }
    return reply.status(isAlive ? 200 : 503).send(status)
  })
}

import { createServer, type Http2Server } from 'node:http2'
import { createEndpointHandler } from '@restatedev/restate-sdk'
import { pullWorkflow } from '../features/analytics/pull.workflow.ts'
import { renewWorkflow } from '../features/connections/renew.workflow.ts'
import type { Context } from '../context.ts'
import { witnessWorkflow } from '../infra/cell/witness.workflow.ts'
import { heartbeatWorkflow } from '../infra/health/heartbeat.workflow.ts'
import { fetchWorkflow } from '../features/publishing/prepare/fetch.workflow.ts'
import { publishWorkflow } from '../features/publishing/publish.workflow.ts'
import { deliverWorkflow } from '../features/webhooks/deliver.workflow.ts'

/** Serves the workflows to the engine over HTTP/2, on a port of their own. */
export async function serveEngine(ctx: Context): Promise<Http2Server> {
  const handler = createEndpointHandler({
    services: [
      publishWorkflow(ctx),
      fetchWorkflow(ctx),
      renewWorkflow(ctx),
      deliverWorkflow(ctx),
      pullWorkflow(ctx),
      heartbeatWorkflow(ctx),
      witnessWorkflow(),
    ],
    // The SDK's line per invocation costs more than the invocation; only its complaints are kept.
    logger: ({ level }, ...message) => {
      if (level === 'error') ctx.log.error({ engine: message.map(String).join(' ').slice(0, 500) }, 'the engine reports')
      else if (level === 'warn') ctx.log.warn({ engine: message.map(String).join(' ').slice(0, 500) }, 'the engine reports')
    },
  })
  const server = createServer(handler)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(ctx.config.workerPort, ctx.config.host, resolve)
  await promise
  return server
}

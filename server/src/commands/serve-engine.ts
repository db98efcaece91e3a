import { once } from 'node:events'
import { createServer, type Http2Session } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEndpointHandler } from '@restatedev/restate-sdk'
import { pullWorkflow } from '../features/analytics/pull.workflow.ts'
import { renewWorkflow } from '../features/connections/renew.workflow.ts'
import type { Context } from '../context.ts'
import { choreWorkflows } from '../infra/chores/chore.workflow.ts'
import type { ChoreRunner } from '../infra/chores/run-chores.ts'
import { witnessWorkflow } from '../infra/cell/witness.workflow.ts'
import { heartbeatWorkflow } from '../infra/health/heartbeat.workflow.ts'
import { fetchWorkflow } from '../features/publishing/prepare/fetch.workflow.ts'
import { publishWorkflow } from '../features/publishing/publish.workflow.ts'
import { deliverWorkflow } from '../features/webhooks/deliver.workflow.ts'

export type EngineServer = {
  /** Accepts no further runs and waits until the open ones have ended, at most `waitMs`. */
  drain(waitMs: number): Promise<void>
}

/** Serves the workflows to the engine over HTTP/2, on a port of their own. */
export async function serveEngine(ctx: Context, chores: ChoreRunner): Promise<EngineServer> {
  const handler = createEndpointHandler({
    services: [
      publishWorkflow(ctx),
      fetchWorkflow(ctx),
      renewWorkflow(ctx),
      deliverWorkflow(ctx),
      pullWorkflow(ctx),
      heartbeatWorkflow(ctx),
      witnessWorkflow(),
      ...choreWorkflows(chores),
    ],
    // Requests that are not signed with one of these keys get 401. An empty list switches this off.
    identityKeys: [...ctx.config.restateIdentityKeys],
    // The SDK's log line per run costs more than the run, so only warnings and errors are kept.
    logger: ({ level }, ...message) => {
      if (level !== 'error' && level !== 'warn') return
      ctx.log[level]({ engine: message.map(String).join(' ').slice(0, 500) }, 'a message of the engine SDK')
    },
  })
  const server = createServer(handler)
  const sessions = new Set<Http2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.listen(ctx.config.workerPort, ctx.config.workerHost)
  await once(server, 'listening')
  return {
    async drain(waitMs) {
      server.close()
      // GOAWAY: the engine sends new runs elsewhere and lets the open ones end.
      for (const session of sessions) session.close()
      const endMs = performance.now() + waitMs
      while (sessions.size > 0 && performance.now() < endMs) await sleep(20)
      for (const session of sessions) session.destroy()
    },
  }
}

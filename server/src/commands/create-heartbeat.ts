import type { Context } from '../context.ts'
import { recoverLostSends, releaseLostClaims } from '../features/publishing/dispatch/dispatch.store.ts'
import { newUuid } from '../infra/db/ids.ts'
import { UnknownServiceError } from '../infra/engine/ingress.ts'
import { registerWorker, registerWorkerWithRetries } from '../infra/engine/register-worker.ts'
import { findHeartbeatAgeMs } from '../infra/health/heartbeat.store.ts'
import { heartbeatJob } from '../infra/health/heartbeat.workflow.ts'

/** A heartbeat is sent every 8 s. When none came back for this long, the engine cannot reach the workers at the address it knows. */
const missingAfterMs = 25_000

/**
 * Registers this worker with the engine, and again whenever the engine has forgotten it or no longer reaches it. Without this, an engine that
 * lost its data would send nothing until a worker restarts.
 */
export async function createHeartbeat(ctx: Context) {
  const { config, log } = ctx
  const registration = { adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl }
  const worker = newUuid()
  let registeredAtMs = 0
  /** True until everything that was enqueued in a lost engine is on the schedule again, also if the database did not answer meanwhile. */
  let isEngineEmpty = false

  const register = async (work: Promise<boolean>) => {
    isEngineEmpty = (await work) || isEngineEmpty
    registeredAtMs = performance.now()
  }
  const refillEngine = async () => {
    if (!isEngineEmpty) return
    const released = await releaseLostClaims(ctx.db.system)
    const asked = await recoverLostSends(ctx.db.system)
    isEngineEmpty = false
    if (released + asked > 0)
      log.warn({ released, asked }, 'the engine is empty; channels that were enqueued in it are enqueued again')
    ctx.engine.wakeWorkers()
  }
  const registerAgain = async (reason: string) => {
    log.warn({ reason }, 'this worker registers with the engine again')
    await register(registerWorker(registration))
    await refillEngine()
  }

  await register(registerWorkerWithRetries(registration, log))
  return {
    async beat(): Promise<void> {
      await refillEngine()
      const send = () => ctx.engine.send(heartbeatJob(worker), newUuid())
      try {
        await send()
      } catch (error) {
        if (!(error instanceof UnknownServiceError)) throw error
        await registerAgain('the engine does not know the services')
        return send()
      }
      const waitedMs = performance.now() - registeredAtMs
      const ageMs = (await findHeartbeatAgeMs(ctx.db.system, worker)) ?? Infinity
      if (Math.min(ageMs, waitedMs) > missingAfterMs) await registerAgain('no heartbeat came back through the engine')
    },
  }
}

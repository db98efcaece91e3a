import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** A worker needs at most 35 s; the rest is for closing connections. */
const stopMsMax = 45_000

type Stoppable = { log: Logger; state: { isDraining: boolean }; stop(): Promise<void> }

/** The first signal finishes what is running; a second one ends the process at once. */
export function stopOnSignal({ log, state, stop }: Stoppable): void {
  const receive = (signal: string) => {
    if (state.isDraining) {
      log.warn({ signal }, 'second stop signal; ending without waiting for running work')
      process.exit(1)
    }
    state.isDraining = true
    log.info({ signal }, 'stopping; running work is finished first')
    setTimeout(() => {
      log.error({ stopMsMax }, 'stopping took too long; ending without waiting any longer')
      process.exit(1)
    }, stopMsMax)
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', receive)
  process.on('SIGINT', receive)
}

/** Requests that still run after this long are cut off. It is more than any request may take. */
const requestMs = 30_000

/** Accepts no further requests and waits for the running ones. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  // A connection whose request ends while the server closes would stay open until the client lets go of it.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 100)
  const cutOff = setTimeout(() => app.server.closeAllConnections(), requestMs)
  await app.close()
  clearInterval(closeIdle)
  clearTimeout(cutOff)
}

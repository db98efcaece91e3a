import type { FastifyInstance } from 'fastify'

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

import pg from 'pg'
import { closeConnection, connectionLimits, LimitedClient, watchQueries } from './connection-limits.ts'

const reconnectMs = 500
/** Nothing is sent on a listening connection, so only a query shows whether PostgreSQL is still at the other end. */
const checkEveryMs = 10_000
const answerMs = 5_000
const endMs = 1_000

export type ListenOptions = {
  url: string
  channel: string
  onNotification: (payload: string) => void
  onError: (error: Error) => void
}

/**
 * Subscribes to notifications, and subscribes again after every loss of the connection until it is stopped. `onNotification` is also called
 * after each subscription, with an empty payload, because notifications may have been missed before it.
 */
export async function listen({ url, channel, onNotification, onError }: ListenOptions): Promise<() => Promise<void>> {
  let current: pg.Client | null = null
  let isStopped = false
  const connect = async () => {
    if (isStopped) return
    const client = new LimitedClient({
      connectionString: url,
      application_name: `listen ${channel}`,
      ...connectionLimits(answerMs),
    })
    watchQueries(client, answerMs, () => closeConnection(client, answerMs))
    const check = setInterval(() => void client.query('select 1').catch(() => {}), checkEveryMs)
    const reconnect = (error?: Error) => {
      clearInterval(check)
      if (current !== client) return
      current = null
      if (error) onError(error)
      setTimeout(() => void connect(), reconnectMs)
    }
    current = client
    client.on('error', reconnect)
    client.on('end', () => reconnect())
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      onNotification('')
    } catch (error) {
      reconnect(error instanceof Error ? error : new Error(String(error)))
    }
  }
  await connect()
  return async () => {
    isStopped = true
    const last = current
    current = null
    if (!last) return
    // A silent connection would never confirm its end.
    const timer = setTimeout(() => closeConnection(last, endMs), endMs)
    await last.end().catch(() => {})
    clearTimeout(timer)
  }
}

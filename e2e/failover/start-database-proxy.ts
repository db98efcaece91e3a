import { join } from 'node:path'
import { freePort, isHaproxyInstalled, root, startProgram, type Running } from '@carillon/stack/services'
import pg from 'pg'

const settingsFile = join(root, 'deploy/database/haproxy.cfg')

/**
 * Starts HAProxy with the settings that operators get: one address that leads to whichever of two databases accepts writes. The role
 * `carillon_check` must exist.
 */
export async function startDatabaseProxy({
  dir,
  ports,
}: {
  dir: string
  ports: readonly [number, number]
}): Promise<Running & { url: string }> {
  if (!isHaproxyInstalled()) throw new Error('the drill of a failover needs HAProxy: apt install haproxy')
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const running = await startProgram({
    name: 'HAProxy of the database',
    command: 'haproxy',
    args: ['-db', '-f', settingsFile],
    env: {
      CARILLON_DATABASE_BIND: `127.0.0.1:${port}`,
      CARILLON_DATABASE_1: `127.0.0.1:${ports[0]}`,
      CARILLON_DATABASE_2: `127.0.0.1:${ports[1]}`,
    },
    logFile: join(dir, 'haproxy-database.log'),
    isReady: () => queryDatabase(url, 'select 1').then(() => true),
  })
  return Object.assign(running, { url })
}

/** Runs one statement on a connection of its own and gives the first row. */
export async function queryDatabase(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows[0] ?? {}
  } finally {
    await client.end()
  }
}

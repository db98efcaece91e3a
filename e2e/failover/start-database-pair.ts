import { join } from 'node:path'
import { upStack } from '@carillon/stack'
import { freePort, type Postgres } from '@carillon/stack/services'
import { startLink, type Link } from '../chaos/stack/start-link.ts'
import { startStandby } from '../chaos/stack/start-standby.ts'
import { queryDatabase, startDatabaseProxy } from './start-database-proxy.ts'
import { startDrillStack, type DrillBase, type DrillStack } from './start-drill-stack.ts'

/** A stack with two databases behind one address. Cutting `replication` makes the standby lag. */
export type DatabasePair = DrillStack & {
  primary: Postgres
  standby: Postgres
  replication: Link
  engineDataDir: string
  engine: DrillBase['stack']['restate']
}

export async function startDatabasePair(name: string, { isSynchronous }: { isSynchronous: boolean }): Promise<DatabasePair> {
  const stack = await upStack({ name, roles: [], fsync: false })
  const { postgres: primary, restate: engine, info } = stack
  const stops = [() => stack.stop()]
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    await queryDatabase(primary.url, 'create role carillon_check login')
    const replication = await startLink(primary.port)
    stops.push(async () => replication.close())
    const port = await freePort()
    const standby = await startStandby(primary, info.dir, { isSynchronous, primaryPort: replication.port, port })
    stops.push(() => standby.stop())
    const proxy = await startDatabaseProxy({ dir: join(info.dir, 'logs'), ports: [primary.port, standby.port] })
    stops.push(() => proxy.stop())
    const drill = await startDrillStack({ stack, databaseUrl: proxy.url, stop })
    return { ...drill, primary, standby, replication, engine, engineDataDir: join(info.dir, 'restate', 'data') }
  } catch (error) {
    await stop()
    throw error
  }
}

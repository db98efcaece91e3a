import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts, startCeph, startRestateCluster, type Running } from '@carillon/stack/services'
import { stackDir, type StackInfo } from '@carillon/stack'
import { startFailover } from './failover.ts'

/**
 * Three Restate nodes with snapshots in Ceph. Ingress and admin have one address each in front of the nodes, which keeps working when a
 * node is killed.
 */
export async function startCluster(name: string) {
  const dir = stackDir(`${name}-engine`)
  // The nodes store each other's addresses, which differ in every run, so old data would not start.
  await rm(dir, { recursive: true, force: true })
  const ceph = await startCeph({ dir: join(dir, 'ceph') })
  const cluster = await startRestateCluster({ dir: join(dir, 'restate'), snapshots: ceph }).catch(async (error: unknown) => {
    await ceph.stop()
    throw error
  })
  const ingress = await startFailover(cluster.nodes.map(({ ports }) => ports.ingress))
  const admin = await startFailover(cluster.nodes.map(({ ports }) => ports.admin))
  const [api = 0, worker = 0] = await freePorts(2)
  const nodes: Record<string, Running> = Object.fromEntries(cluster.nodes.map((node, n) => [`restate-n${n + 1}`, node]))
  return {
    nodes,
    ports: { api, worker },
    secretKeys: `k1:${randomBytes(32).toString('base64')}`,
    env: { RESTATE_INGRESS_URL: ingress.url, RESTATE_ADMIN_URL: admin.url, RESTATE_IDENTITY_KEYS: cluster.identityKey },
    /** The settings that a stack gives its servers. They are repeated because these servers are started outside of the stack. */
    serverEnv: (info: StackInfo) => ({
      DATABASE_URL: info.databaseUrl,
      CARILLON_HOST: '127.0.0.1',
      CARILLON_PORT: String(api),
      CARILLON_WORKER_PORT: String(worker),
      CARILLON_WORKER_URL: `http://127.0.0.1:${worker}`,
      CARILLON_PUBLIC_URL: `http://127.0.0.1:${api}`,
      CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
      CARILLON_PLATFORM_ORIGINS: JSON.stringify(
        Object.fromEntries(
          ['bluesky', 'mastodon', 'threads', 'x'].map((platform) => [platform, `${info.simulatorUrl}/${platform}`]),
        ),
      ),
      NODE_EXTRA_CA_CERTS: info.webhookTlsCert,
    }),
    async stop() {
      ingress.close()
      admin.close()
      await cluster.stop()
      await ceph.stop()
    },
  }
}

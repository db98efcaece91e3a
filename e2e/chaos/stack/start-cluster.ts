import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startCeph, startRestateCluster, type Running } from '@carillon/stack/services'
import { stackDir } from '@carillon/stack'
import { startFailover } from './start-failover.ts'

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
  const nodes: Record<string, Running> = Object.fromEntries(cluster.nodes.map((node, n) => [`engine-${n + 1}`, node]))
  return {
    nodes,
    env: { RESTATE_INGRESS_URL: ingress.url, RESTATE_ADMIN_URL: admin.url, RESTATE_IDENTITY_KEYS: cluster.identityKey },
    async stop() {
      ingress.close()
      admin.close()
      await cluster.stop()
      await ceph.stop()
    },
  }
}

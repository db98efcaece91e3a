import { join } from 'node:path'
import { engineIdentity } from './engine-identity.ts'
import { freePorts } from './free-ports.ts'
import { restateBinary } from './restate-binary.ts'
import { startRestateNode, type RestateMemory, type RestateNode } from './restate-node.ts'
import { hasLeaders, isServing } from './restate-ready.ts'
import { runCommand } from './run-command.ts'
import { isListening, waitUntil } from './wait-until.ts'

/** Where snapshots are stored: a cluster accepts only an object store, not a folder. */
type SnapshotStore = { url: string; bucket: string; region: string; accessKey: string; secretKey: string; prefix?: string }

export type RestateClusterOptions = {
  dir: string
  snapshots: SnapshotStore
  nodes?: number
  replication?: number
  partitions?: number
  invocationsMax?: number
}

export type RestateCluster = {
  nodes: RestateNode[]
  /** Of the first node. The ingress and admin of any other node work as well. */
  ingressUrl: string
  adminUrl: string
  ingressUrls: string[]
  /** The public key with which workers recognise the requests of any node. */
  identityKey: string
  stop(): Promise<void>
  kill(): Promise<void>
  /** Restarts all nodes at once: a node alone is never ready without the others. */
  restart(): Promise<void>
}

const memory: RestateMemory = { rocksdb: '256.0 MiB', queries: '64.0 MiB', records: '32.0 MiB', invoker: '256.0 MiB' }

/** Starts a replicated Restate cluster on one machine. Each node can be killed and restarted separately. */
export async function startRestateCluster(options: RestateClusterOptions): Promise<RestateCluster> {
  const { dir, snapshots, nodes: count = 3, replication = 2, partitions = 6, invocationsMax = 16 } = options
  const free = await freePorts(count * 3)
  const portsOf = (n: number) => ({ node: free[n * 3] ?? 0, admin: free[n * 3 + 1] ?? 0, ingress: free[n * 3 + 2] ?? 0 })
  const numbers = Array.from({ length: count }, (_, n) => n)
  const extraSettings = {
    'auto-provision': false,
    'default-replication': replication,
    roles: ['http-ingress', 'admin', 'worker', 'log-server', 'metadata-server'],
    'metadata-client': { type: 'replicated', addresses: numbers.map((n) => `http://127.0.0.1:${portsOf(n).node}`) },
    worker: {
      // With the default of ten minutes, nothing would be trimmed during a test.
      'trim-delay-interval': '5s',
      snapshots: {
        destination: `s3://${snapshots.bucket}/${snapshots.prefix ?? 'restate'}`,
        'snapshot-interval-num-records': 3000,
        'aws-region': snapshots.region,
        'aws-access-key-id': snapshots.accessKey,
        'aws-secret-access-key': snapshots.secretKey,
        'aws-endpoint-url': snapshots.url,
        'aws-allow-http': true,
      },
    },
  }
  const identity = await engineIdentity(dir)
  const nodes: RestateNode[] = []
  const each = (act: (node: RestateNode) => Promise<void>) => Promise.all(nodes.map(act))
  let isProvisioned = false
  try {
    for (const n of numbers) {
      const ports = portsOf(n)
      nodes.push(
        await startRestateNode({
          name: `n${n + 1}`,
          dir: join(dir, `n${n + 1}`),
          ports,
          partitions,
          invocationsMax,
          memory,
          identity,
          extraSettings,
          // Before the cluster is provisioned, a node answers only other nodes.
          isReady: (urls) => (isProvisioned ? isServing(urls) : isListening(ports.node)),
        }),
      )
    }
    const size = ['--replication', String(replication), '--num-partitions', String(partitions)]
    await runCommand(restateBinary('restatectl'), [
      '--address',
      `http://127.0.0.1:${portsOf(0).node}`,
      'provision',
      ...size,
      '--yes',
    ])
    isProvisioned = true
    await waitUntilAllServe(nodes, partitions)
  } catch (error) {
    await each((node) => node.stop())
    throw error
  }
  const [first] = nodes
  if (!first) throw new Error('a cluster needs at least one node')
  return {
    nodes,
    ingressUrl: first.ingressUrl,
    adminUrl: first.adminUrl,
    ingressUrls: nodes.map((node) => node.ingressUrl),
    identityKey: identity.publicKey,
    stop: async () => void (await each((node) => node.stop())),
    kill: async () => void (await each((node) => node.kill())),
    async restart() {
      await each((node) => node.restart())
      await waitUntilAllServe(nodes, partitions)
    },
  }
}

async function waitUntilAllServe(nodes: readonly RestateNode[], partitions: number): Promise<void> {
  const areServing = async () => {
    const serving = await Promise.all(nodes.map(isServing))
    const [first] = nodes
    return serving.every(Boolean) && first !== undefined && hasLeaders(first, partitions)
  }
  await waitUntil(areServing, { what: 'every node of the Restate cluster to serve', withinMs: 90_000, everyMs: 200 })
}
